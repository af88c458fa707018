"""Clients that hang up and processes that are killed: who asks again with the same key gets one effect."""

import json
import os
import signal
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import urllib3

from memory.models import Record
from orgs.tenancy import acting_for
from tests.benchmarks.machine import parts_of


def contents(cast) -> list[str]:
    with acting_for(cast.organization.id):
        records = Record.objects.filter(organization_id=cast.organization.id)
        return sorted(records.values_list("content", flat=True))


def until_answered(service, person, content: str) -> int:
    """Send one write again and again with one key, as a client does that gets no answer."""
    for _ in range(50):
        try:
            answered = service.call(person, "remember", {"content": content}, **{"Idempotency-Key": content})
        except urllib3.exceptions.HTTPError:
            time.sleep(0.1)
            continue
        if answered.status < 500:
            return answered.status
        time.sleep(0.1)
    return 0


@pytest.mark.parametrize("patience", [0.0, 0.002, 0.02, 0.1])
def test_fc60_a_client_that_hangs_up_and_asks_again_has_written_once(service, committed_cast, patience):
    body = json.dumps({"content": "hung up"}).encode()
    head = (
        f"POST /v1/remember HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {committed_cast.ada.token}\r\n"
        f"Idempotency-Key: hung up\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", service.port), timeout=30) as opened:
            opened.sendall(head.encode() + body)
            time.sleep(patience)
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # a reset, not a goodbye
    assert until_answered(service, committed_cast.ada, "hung up") == 201
    assert contents(committed_cast) == ["hung up"]


def test_fc60_processes_killed_in_the_middle_of_writes_lose_and_double_nothing(service, committed_cast):
    wanted = sorted(f"fact {number:03}" for number in range(150))
    over = threading.Event()

    def kill_now_and_then():
        killed = 0
        while not over.wait(0.1) and killed < 4:
            for pid in sorted(parts_of(os.getpid())["web"])[-1:]:  # the youngest is no master
                if pid != service.process.running.pid:
                    os.kill(pid, signal.SIGKILL)
                    killed += 1
        return killed

    with ThreadPoolExecutor(7) as threads:
        killer = threads.submit(kill_now_and_then)
        statuses = list(threads.map(lambda content: until_answered(service, committed_cast.ada, content), wanted))
        over.set()
    assert killer.result() > 0
    assert (set(statuses), contents(committed_cast)) == ({201}, wanted)
