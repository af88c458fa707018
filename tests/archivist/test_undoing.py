"""A person has the last word: what they undo stays undone, whichever judge comes next."""

from datetime import timedelta

import pytest

from archivist.models import Decision
from archivist.undoing import undo
from orgs.errors import Forbidden
from orgs.models import AuditEvent
from orgs.tenancy import acting_for
from tests.archivist.writing import Bearing, Scripted, finds, read, remember, reviewed, search_for


@pytest.fixture
def ada(cast, now):
    return cast.ada.by_key(now=now)


@pytest.fixture
def pair(ada, now):
    later = now + timedelta(seconds=5)
    old = remember(ada, "The port is 8080.", now=now)
    new = remember(ada, "The port is 9090.", now=later)
    reviewed(new, Scripted([finds(old, Bearing.UPDATES)]), now=later)
    return old, new


def decisions(record):
    return Decision.objects.filter(record=record, undone_at=None).select_related("record")


def test_every_decision_is_undone_by_itself_and_stays_undone(ada, pair, now):
    old, new = pair
    with acting_for(ada.organization_id):
        for decision in decisions(new):
            assert undo(ada, decision, now=now + timedelta(minutes=1))
            assert not undo(ada, decision, now=now + timedelta(minutes=1))
    reviewed(new, Scripted([finds(old, Bearing.UPDATES)], version="2"), now=now + timedelta(minutes=2))
    shown = search_for(ada, old.id, now=now)
    assert (shown.status, shown.confidence, shown.graph_relations) == ("unverified", 0.5, [])
    assert read(ada, new.id).fact_key is None
    with acting_for(ada.organization_id):
        assert AuditEvent.objects.filter(verb="archivist.undone", object_id=str(new.id)).count() == 3


def test_undoing_the_doubt_leaves_the_relation(ada, pair, now):
    old, new = pair
    with acting_for(ada.organization_id):
        undo(ada, decisions(new).get(what="refutes"), now=now)
    shown = search_for(ada, old.id, now=now)
    assert (shown.confidence, [link.relation for link in shown.graph_relations]) == (0.5, ["supersedes"])


def test_whoever_may_not_review_undoes_nothing(ada, pair, cast, now):
    _, new = pair
    with acting_for(ada.organization_id), pytest.raises(Forbidden):
        undo(cast.dot.by_key(now=now), decisions(new).first(), now=now)
    with acting_for(ada.organization_id):
        assert decisions(new).count() == 3
