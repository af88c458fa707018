"""What the archivist decided, shown to those who see both ends."""

from datetime import datetime, timedelta

import pytest

from archivist.judges import Bearing
from archivist.queries import decisions
from memory.protocol import shapes
from orgs.errors import Unknown
from tests.archivist.writing import Scripted, finds, remember, reviewed
from tests.cast import Cast
from tests.memory.writing import forget


def told(caller, id):
    return {(one.what, one.about) for one in decisions(caller, id, shapes.Page()).results}


def test_fc13_a_decision_is_shown_to_those_who_see_both_ends(cast: Cast, now: datetime) -> None:
    ada, ben = cast.ada.by_key(now=now), cast.ben.by_key(now=now)
    later = now + timedelta(seconds=5)
    shared = remember(ada, "The port is 8080.", now=now, fact_key="port")
    draft = remember(ada, "The port is 9090.", now=later, visibility="author", fact_key="port")
    assert reviewed(draft, Scripted([finds(shared, Bearing.CONTRADICTS)]), now=later)
    seen = {("relates_to", shared.id), ("refutes", shared.id)}
    assert (told(ada, draft.id), told(ada, shared.id), told(ben, shared.id)) == (seen, seen, set())
    with pytest.raises(Unknown):
        told(ben, draft.id)
    forget(ada, now=later, memory_id=str(draft.id))
    assert told(ada, shared.id) == set()


def test_decisions_come_page_by_page(cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    older = [remember(ada, f"The port is {n}.", now=now, fact_key="port") for n in range(3)]
    new = remember(ada, "The port is 9090.", now=now + timedelta(seconds=5), fact_key="port")
    reviewed(new, Scripted([finds(one, Bearing.RELATES) for one in older]), now=now + timedelta(seconds=5))
    first = decisions(ada, new.id, shapes.Page(limit=2))
    second = decisions(ada, new.id, shapes.Page(limit=2, cursor=first.meta.next_cursor))
    about = [one.about for one in [*first.results, *second.results]]
    assert (sorted(about), second.meta.next_cursor) == (sorted(one.id for one in older), None)
    assert {(one.judge, one.judge_version) for one in first.results} == {("scripted", "1")}
