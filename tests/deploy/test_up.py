"""The front door, opened for real: one command, six programs, one record."""

import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
import urllib3

from tests.deploy.watching import children, eventually, is_alive, kill

ROOT = Path(__file__).parents[2]
GIVEN = ("DATABASE", "REDIS", "EMBEDDINGS", "SECRET", "KEY_PEPPER", "DJANGO", "PG")
PROGRAMS = {
    "postgres": "/bin/postgres -D",
    "valkey": "valkey-server",
    "embedder": "-m deploy.embedder",
    "web": "-m gunicorn",
    "worker": " worker ",
    "beat": " beat ",
}
http = urllib3.PoolManager(timeout=60, retries=False)
pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc"),
    pytest.mark.timeout(600),
]


def up(data, *options):
    """The starter as a stranger would run it: none of our own servers in its environment."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(GIVEN)}
    command = [sys.executable, ROOT / "deploy" / "up.py", "--data", data, "--json", *options]
    return subprocess.Popen(
        command, env=environment, cwd="/", stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@contextmanager
def running(data):
    """A started product: the process and what it said when it was ready."""
    log = data.with_suffix(".log").open("w+")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(GIVEN)}
    command = [sys.executable, ROOT / "deploy" / "up.py", "--data", data, "--json", "--port", "0"]
    starter = subprocess.Popen(command, env=environment, cwd="/", stdout=subprocess.PIPE, stderr=log, text=True)
    with log, starter:
        try:
            assert starter.stdout
            line = starter.stdout.readline()
            assert line, data.with_suffix(".log").read_text()[-3000:]
            yield starter, json.loads(line)
        finally:
            starter.terminate()
            starter.wait(60)


def programs(starter):
    """The process ids of the starter's programs by name."""
    listed = {pid: line for pid, line in children(starter.pid).items() if "leash.py" not in line}
    return {name: pid for name, part in PROGRAMS.items() for pid, line in listed.items() if part in line}


def call(facts, verb, body):
    answer = http.request(
        "POST", f"{facts['url']}/v1/{verb}", json=body, headers={"Authorization": f"Bearer {facts['api_key']}"}
    )
    return answer.status, answer.json()


def ready(facts):
    try:
        return http.request("GET", f"{facts['url']}/readyz").json().get("status") == "ok"
    except urllib3.exceptions.HTTPError:
        return False


@pytest.fixture(scope="module")
def product(tmp_path_factory):
    with running(tmp_path_factory.mktemp("up") / "data") as started:
        yield started


def test_everything_is_there_when_it_says_so(product):
    starter, facts = product
    assert set(facts) == {"url", "mcp_url", "api_key", "email", "password", "data"}
    assert all(facts[name] for name in ("api_key", "email", "password"))
    assert facts["mcp_url"] == facts["url"] + "/mcp"
    assert eventually(lambda: programs(starter).keys() == PROGRAMS.keys())
    assert eventually(lambda: ready(facts))


def test_the_printed_key_remembers_and_finds(product):
    _, facts = product
    status, kept = call(
        facts, "remember", {"workspace": "default", "content": "The lighthouse is painted every spring."}
    )
    assert status == 201, kept
    status, found = call(facts, "search", {"workspace": "default", "query": "lighthouse"})
    assert status == 200, found
    assert kept["id"] in [record["id"] for record in found["results"]]


def test_the_printed_address_for_agents_answers_them(product):
    _, facts = product
    ask = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    signed = {"Authorization": f"Bearer {facts['api_key']}"}
    answer = http.request("POST", facts["mcp_url"], json=ask, headers=signed)
    assert "search" in [tool["name"] for tool in answer.json()["result"]["tools"]]


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_killed_without_warning_comes_back(product, name):
    starter, facts = product
    before = programs(starter)[name]
    kill(before)
    assert eventually(lambda: programs(starter).get(name, before) != before, within=60)
    assert eventually(lambda: ready(facts), within=60)
    status, answer = call(facts, "search", {"workspace": "default", "query": "lighthouse"})
    assert status == 200, answer


def test_a_second_start_on_the_same_data_is_refused_by_name(product):
    starter, facts = product
    second = up(facts["data"], "--port", "0")
    _, said = second.communicate(timeout=60)
    assert second.returncode == 2
    assert f"already runs on {facts['data']} (process {starter.pid})" in said


def test_a_port_in_use_is_refused_by_number(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = up(tmp_path / "data", "--port", str(port))
        _, said = refused.communicate(timeout=60)
    assert refused.returncode == 2
    assert said.strip().splitlines()[-1].startswith(f"Port {port} is already in use.")


def test_a_port_that_cannot_be_is_refused(tmp_path):
    refused = up(tmp_path / "data", "--port", "70000")
    refused.communicate(timeout=60)
    assert refused.returncode == 2


def test_a_folder_that_cannot_be_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    refused = up(tmp_path / "file" / "data")
    _, said = refused.communicate(timeout=60)
    assert refused.returncode == 2
    assert f"The folder {tmp_path / 'file' / 'data'} cannot be used" in said


def test_a_starter_killed_without_warning_finds_everything_again(tmp_path):
    with running(tmp_path / "data") as (starter, first):
        status, kept = call(first, "remember", {"workspace": "default", "content": "The ferry leaves at nine."})
        assert status == 201, kept
        heads = list(programs(starter).values())
        orphans = heads + [worker for head in heads for worker in children(head)]
        kill(starter.pid)
        starter.wait()
        assert eventually(lambda: not any(map(is_alive, orphans)), within=60)
    with running(tmp_path / "data") as (starter, second):
        moved = {"url": None, "mcp_url": None}
        assert {**second, **moved} == {**first, **moved}
        _, found = call(second, "search", {"workspace": "default", "query": "ferry"})
        assert kept["id"] in [record["id"] for record in found["results"]]
        last = programs(starter).values()
        starter.send_signal(signal.SIGINT)
        assert starter.wait(60) == 0
        assert not any(map(is_alive, last))
