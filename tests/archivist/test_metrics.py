"""Metrics tell numbers: of every process of the machine, and of the outbox."""

import os
import subprocess
import sys

import pytest

from archivist.metrics import exposition
from memory.metrics import measured_verb
from orgs.errors import Forbidden
from tests.archivist.writing import remember


def test_the_outbox_is_counted_by_kind_and_state(cast, now):
    remember(cast.ada.by_key(now=now), "The port of Zanzibar.", now=now)
    text, content_type = exposition()
    assert content_type.startswith("text/plain")
    lines = text.decode().splitlines()
    assert 'palimpsest_errands{kind="embed",state="waiting"} 1.0' in lines
    assert 'palimpsest_errands{kind="scan",state="dead"} 0.0' in lines
    assert "Zanzibar" not in text.decode()
    assert str(cast.organization.id) not in text.decode()


def test_verbs_are_counted_by_how_they_ended(db):
    with measured_verb("search"):
        pass
    with pytest.raises(Forbidden), measured_verb("search"):
        raise Forbidden("no")
    with pytest.raises(ZeroDivisionError), measured_verb("search"):
        _ = 1 // 0
    lines = exposition()[0].decode().splitlines()
    ended = {line.split(" ")[0] for line in lines if line.startswith("palimpsest_verbs_total")}
    assert ended >= {
        f'palimpsest_verbs_total{{outcome="{outcome}",verb="search"}}' for outcome in ("ok", "forbidden", "fault")
    }


def test_the_numbers_of_several_processes_are_added_up(tmp_path):
    count = "from memory.metrics import count_redactions; count_redactions({'token': 2})"
    tell = "from prometheus_client import *; from prometheus_client.multiprocess import *; "
    tell += "all = CollectorRegistry(); MultiProcessCollector(all); print(generate_latest(all).decode())"
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    for _ in range(2):
        subprocess.run([sys.executable, "-c", count], env=environment, check=True)
    told = subprocess.run([sys.executable, "-c", tell], env=environment, check=True, capture_output=True, text=True)
    assert 'palimpsest_redactions_total{kind="token"} 4.0' in told.stdout
