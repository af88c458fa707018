"""supersede: the old record stays, is out of date, and leaves what is shown by default."""

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from memory.models import Succession
from memory.operations.settling import settle
from memory.protocol import shapes
from memory.verbs import Outcome
from orgs.caller import Caller
from orgs.errors import Invalid
from orgs.tenancy import acting_for
from tests.cast import Cast
from tests.memory.writing import checked, forget, found, remember, said

KEY = "deploy.window"


def superseded(outcome: Outcome) -> shapes.Superseded:
    assert isinstance(outcome.answer, shapes.Superseded), outcome
    return outcome.answer


def failure(outcome: Outcome) -> str:
    assert isinstance(outcome.answer, shapes.Failed), outcome
    return outcome.answer.error


def listed(caller: Caller, query: str, *, now: datetime, **filters: Any) -> set[str]:
    return {record.content for record in found(caller, query, now=now, **filters)}


def test_fc65_new_content_takes_over_place_and_topic_and_not_where_the_old_text_came_from(cast: Cast, now) -> None:
    ada = cast.ada.by_key(now=now)
    old = remember(
        *(ada, "window is Tuesday"),
        now=now - timedelta(days=700),
        fact_key=KEY,
        workspace="infra",
        scope="private",
        visibility="author",
        source_id="docs/w.md",
        source_hash="sha256:" + "ab" * 32,
        confidence=0.9,
        tags=["ops"],
    )
    answer = superseded(said("supersede", ada, now=now, node_id=str(old.id), content="window is Friday"))
    (new,) = found(ada, "window Friday", now=now)
    assert (answer.id, answer.superseded_by, answer.supersedes, answer.committed) == (old.id, new.id, [old.id], True)
    kept = (new.fact_key, new.workspace, new.scope, new.visibility.value, new.tags)
    assert kept == (KEY, "infra", "private", "author", ["ops"])
    assert (new.source_id, new.source_hash, new.confidence, new.created_at) == (None, None, 0.5, now)
    assert (new.status.value, new.supersedes) == ("unverified", [old.id])


def test_the_new_record_is_never_more_visible_than_the_old_one(cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    old = remember(ada, "window is Tuesday", now=now, visibility="department")
    with pytest.raises(Invalid) as refused:
        said("supersede", ada, now=now, node_id=str(old.id), content="window is Friday", visibility="project")
    assert refused.value.field == "visibility"
    assert listed(ada, "window", now=now) == {"window is Tuesday"}


def test_the_old_record_leaves_what_is_shown_and_stays_readable(cast: Cast, now: datetime) -> None:
    ada, cy = cast.ada.by_key(now=now), cast.cy.by_key(now=now)
    old = remember(ada, "window is Tuesday", now=now, fact_key=KEY)
    new = remember(ada, "window is Friday", now=now, fact_key=KEY)
    superseded(said("supersede", ada, now=now, node_id=str(old.id), superseded_by=str(new.id)))
    assert listed(cy, "window", now=now) == {"window is Friday"}
    assert listed(cy, "window", now=now, include_superseded=True) == {"window is Friday", "window is Tuesday"}
    node = said("read", cy, now=now, node_id=str(old.id)).answer
    assert isinstance(node, shapes.Node)
    assert (node.verification_state.value, node.frontmatter["superseded_by"]) == ("stale", str(new.id))
    (record,) = checked(cy, now=now, ids=[str(new.id)]).records
    assert record.status.value == "unverified"


@pytest.mark.parametrize("validity", ["current", "all"])
def test_a_pack_shows_it_only_with_validity_all(cast: Cast, now: datetime, validity: str) -> None:
    ada = cast.ada.by_key(now=now)
    old = remember(ada, "window is Tuesday", now=now)
    superseded(said("supersede", ada, now=now, node_id=str(old.id), content="window is Friday"))
    pack = said("read", ada, now=now, query="window", budget_tokens=1000, validity=validity).answer
    assert isinstance(pack, shapes.Pack)
    assert (str(old.id) in {str(one.id) for one in pack.pack}) is (validity == "all")


def test_as_of_shows_what_was_known_and_held_at_that_time(cast: Cast, now: datetime) -> None:
    ada, before = cast.ada.by_key(now=now), now - timedelta(days=2)
    old = remember(ada, "window is Tuesday", now=now - timedelta(days=3))
    superseded(said("supersede", ada, now=now - timedelta(days=1), node_id=str(old.id), content="window is Friday"))
    for when, contents in ((before, {"window is Tuesday"}), (now, {"window is Friday"})):
        answer = said("read", ada, now=now, query="window", validity="as_of", as_of=when.isoformat()).answer
        assert isinstance(answer, shapes.ListAnswer)
        assert {record.content for record in answer.results} == contents


def test_chains_are_allowed_and_rings_are_not(cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    a, b, c = (str(remember(ada, f"window {name}", now=now).id) for name in "abc")
    superseded(said("supersede", ada, now=now, node_id=a, superseded_by=b))
    superseded(said("supersede", ada, now=now, node_id=b, superseded_by=c))
    assert failure(said("supersede", ada, now=now, node_id=c, superseded_by=a)) == "cycle"
    assert failure(said("supersede", ada, now=now, node_id=c, superseded_by=c)) == "cycle"
    assert listed(ada, "window", now=now) == {"window c"}


def test_a_record_is_superseded_once(cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    old = str(remember(ada, "window is Tuesday", now=now).id)
    superseded(said("supersede", ada, now=now, node_id=old, content="window is Friday"))
    assert failure(said("supersede", ada, now=now, node_id=old, content="window is Sunday")) == "already_superseded"
    assert listed(ada, "window", now=now) == {"window is Friday"}


def test_somebody_elses_draft_takes_nobodys_place_but_for_its_author(cast: Cast, now: datetime) -> None:
    ada, ben = cast.ada.by_key(now=now), cast.ben.by_key(now=now)
    old = str(remember(ada, "window is Tuesday", now=now).id)
    superseded(said("supersede", ada, now=now, node_id=old, content="window is Friday", visibility="author"))
    assert listed(ben, "window", now=now) == {"window is Tuesday"}
    superseded(said("supersede", ben, now=now, node_id=old, content="window is Sunday"))
    assert listed(ben, "window", now=now) == {"window is Sunday"}


def test_a_forgotten_successor_takes_nobodys_place(cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    old = str(remember(ada, "window is Tuesday", now=now).id)
    new = superseded(said("supersede", ada, now=now, node_id=old, content="window is Friday")).superseded_by
    forget(ada, now=now, memory_id=str(new))
    assert listed(ada, "window", now=now) == {"window is Tuesday"}


@pytest.mark.parametrize("hidden", ["unknown", "foreign", "draft", "forgotten", "elsewhere"])
@pytest.mark.parametrize("place", ["node_id", "superseded_by"])
def test_fc26_what_one_may_not_see_or_change_is_unknown(cast: Cast, now: datetime, place: str, hidden: str) -> None:
    ben = cast.ben.by_key(now=now)
    own = str(remember(ben, "window is Tuesday", now=now).id)
    gone = remember(ben, "gone", now=now)
    forget(ben, now=now, memory_id=str(gone.id))
    ids = {
        "unknown": uuid4(),
        "foreign": remember(cast.eve.by_key(now=now), "x", now=now).id,
        "draft": remember(cast.ada.by_key(now=now), "x", now=now, visibility="author").id,
        "forgotten": gone.id,
        "elsewhere": remember(cast.dot.by_key(now=now), "x", now=now, visibility="organization").id,
    }
    named = {"node_id": own, "superseded_by": own, place: str(ids[hidden])}
    assert failure(said("supersede", ben, now=now, **named)) == "unknown"
    with acting_for(ben.organization_id):
        assert not Succession.objects.filter(organization_id=ben.organization_id).exists()


def test_a_gate_that_stops_the_new_record_leaves_the_old_one_current(cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    old = remember(ada, "window is Tuesday", now=now, fact_key=KEY)
    remember(ada, "window is Monday", now=now, fact_key=KEY)
    outcome = said("supersede", ada, now=now, node_id=str(old.id), content="window is Friday", on_conflict="reject")
    assert outcome.form == "gate_short_circuit"
    assert listed(ada, "window", now=now) == {"window is Tuesday", "window is Monday"}


# --- rings that close by what one may not see ------------------------------------------------------


def _by_id(caller: Caller, old: str, new: str, now: datetime) -> Any:
    return said("supersede", caller, now=now, node_id=old, superseded_by=new).answer


def _by_settling(caller: Caller, old: str, new: str, now: datetime) -> Any:
    return settle(caller, {"fact_key": KEY, "keep": new}, now=now).answer


HIDDEN = [("ben", "author", False), ("cy", "department", False), ("cy", "author", False), ("ben", "project", True)]


@pytest.mark.parametrize("act", [_by_id, _by_settling])
@pytest.mark.parametrize(("who", "visibility", "forgotten"), HIDDEN)
def test_a_ring_that_one_cannot_see_changes_nothing_that_one_is_told(
    cast: Cast, now: datetime, act: Any, who: str, visibility: str, forgotten: bool
) -> None:
    ada, caller = cast.ada.by_key(now=now), cast.everybody[who].by_key(now=now)
    a, b = (str(remember(ada, f"window {name}", now=now, fact_key=KEY).id) for name in "ab")
    hidden = str(remember(ada, "window hidden", now=now, visibility=visibility, fact_key=KEY).id)
    superseded(said("supersede", ada, now=now, node_id=b, superseded_by=hidden))
    superseded(said("supersede", ada, now=now, node_id=hidden, superseded_by=a))
    if forgotten:
        forget(ada, now=now, memory_id=hidden)
    answer = act(caller, a, b, now)
    if act is _by_id:
        assert answer == shapes.Superseded(ok=True, id=a, superseded_by=b, supersedes=[a])
    else:
        assert (str(answer.kept), [str(id) for id in answer.superseded]) == (b, [a])
    assert listed(caller, "window", now=now) == {"window b"}
    if forgotten:
        forget(ada, now=now, memory_id=hidden, action="restore")
    assert listed(ada, "window", now=now) == {"window b"}, "what was said last ends the chain for who sees all of it"
    assert failure(said("supersede", ada, now=now, node_id=b, superseded_by=hidden)) == "cycle"


def test_a_ring_that_one_sees_is_refused_though_another_one_is_hidden(cast: Cast, now: datetime) -> None:
    ada, ben = cast.ada.by_key(now=now), cast.ben.by_key(now=now)
    a, b = (str(remember(ada, f"window {name}", now=now).id) for name in "ab")
    draft = str(remember(ada, "window draft", now=now, visibility="author").id)
    superseded(said("supersede", ada, now=now, node_id=b, superseded_by=draft))
    superseded(said("supersede", ada, now=now, node_id=draft, superseded_by=a))
    superseded(said("supersede", ben, now=now, node_id=b, superseded_by=a))
    assert failure(said("supersede", ben, now=now, node_id=a, superseded_by=b)) == "cycle"
    with acting_for(ada.organization_id):
        assert Succession.objects.filter(organization_id=ada.organization_id, undone_at=None).count() == 3
