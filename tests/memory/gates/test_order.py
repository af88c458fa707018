"""The gates in order, and the promise that every answer keeps."""

from datetime import datetime
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.drafts import Draft, Stop
from memory.gates import PIPELINE, examine
from memory.models import Proposal, Record
from memory.policies import Policy
from memory.protocol import shapes
from memory.protocol.parsing import parse
from memory.protocol.verbs import VERBS, shape_of
from memory.verbs import Outcome
from memory.versions import Authorship
from orgs.tenancy import acting_for
from tests.cast import Cast
from tests.memory.review.proposing import make_policy
from tests.memory.writing import remember, said

SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
ORDER = ["secrets", "contract", "audit", "consistency", "forgetting", "limits"]


def test_the_gates_stand_in_the_declared_order() -> None:
    assert [gate.__name__ for gate in PIPELINE] == ORDER


def test_a_gate_that_stops_a_write_is_the_last_that_is_asked_and_one_may_be_left_out(cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    made = Draft(
        caller=ada,
        by=Authorship.of(ada),
        inputs=parse(shapes.WriteInputs, {"content": "x", "content_kind": "summary", "gated": True}),
        policy=Policy(mode="review", on_finding="reject"),
        redactions={"password": 1},
        now=now,
    )
    stopped_by = ["gate_hard_reject", "gate_hard_reject", "gate_short_circuit", "gate_gated", "gate_gated", None]
    with acting_for(ada.organization_id):
        for left_out, form in enumerate(stopped_by):
            asked: list[str] = []

            def heard(gate: Any) -> Any:
                def ask(draft: Draft) -> Draft | Stop:
                    asked.append(gate.__name__)  # noqa: B023 — called within the same turn
                    ruling: Draft | Stop = gate(draft)
                    return ruling

                return ask

            ruling = examine(made, gates=[heard(gate) for gate in PIPELINE[left_out:]])
            assert (ruling.form if isinstance(ruling, Stop) else None) == form
            # consistency has no opinion on a write without a fact key
            last = {3: "forgetting"}.get(left_out, ORDER[left_out])
            assert asked[-1] == last


STOPPED = [  # what is sent, in a project of this policy; the form of the answer
    ({"content": "x", "content_kind": "summary"}, {}, "gate_hard_reject"),
    ({"content": "x", "depends_on": [str(uuid4())]}, {}, "gate_hard_reject"),
    ({"content": f"token {SECRET}"}, {"on_finding": "reject"}, "gate_hard_reject"),
    ({"content": "x"}, {"mode": "review"}, "gate_short_circuit"),
    ({"content": "x"}, {"mode": "none"}, "gate_short_circuit"),
    ({"content": "x"}, {"rules": [{"then": "REJECT", "because": "No."}]}, "gate_short_circuit"),
    ({"content": "x", "fact_key": "k", "on_conflict": "defer"}, {}, "gate_short_circuit"),
    ({"content": "x", "fact_key": "k", "on_conflict": "reject"}, {}, "gate_short_circuit"),
    ({"content": "x", "gated": True}, {}, "gate_gated"),
    ({"content": "known", "gated": True}, {}, "gate_gated"),
    ({"content": "quokkas sleep by day and feed at night", "gated": True}, {}, "gate_gated"),
    ({"content": "x"}, {}, "committed"),
]


def trio_of(outcome: Outcome) -> tuple[Any, Any, Any]:
    """Return the trio of an answer, which must be of its declared form and hold the trio's keys."""
    assert outcome.answer is not None
    told = outcome.answer.model_dump(exclude_unset=True)
    assert type(outcome.answer) is shape_of(outcome.verb.name, outcome.form).answer
    assert {"ok", "id", "committed"} <= told.keys()
    if verdict := told.get("verdict"):
        assert verdict.keys() == {"state", "kind", "basis", "evidence", "detail"}
    return told["ok"], told["id"], told["committed"]


@pytest.mark.parametrize(("sent", "policy", "form"), STOPPED)
def test_every_form_of_a_write_has_the_trio_and_only_a_stored_one_an_id(
    cast: Cast, now: datetime, sent: dict[str, Any], policy: dict[str, Any], form: str
) -> None:
    remember(cast.cy.by_key(now=now), "known", now=now, fact_key="k")
    make_policy(cast.project, now=now, **policy)
    outcome = said("write", cast.ada.by_key(now=now), now=now, **sent)
    ok, id, committed = trio_of(outcome)
    assert (outcome.form, ok) == (form, form != "gate_hard_reject")
    with acting_for(cast.organization.id):
        stored = Record.objects.filter(id=id).exists() if id else False
        assert (committed, stored) == (bool(id), bool(id))


@pytest.mark.parametrize("verb", ["write", "remember", "supersede"])
def test_every_verb_that_stores_goes_through_the_same_gates(cast: Cast, now: datetime, verb: str) -> None:
    ada = cast.ada.by_key(now=now)
    old = {"node_id": str(remember(ada, "old", now=now).id)} if verb == "supersede" else {}
    make_policy(cast.project, now=now, mode="review")
    outcome = said(verb, ada, now=now, content="new", **old)
    assert (outcome.form, trio_of(outcome)) == ("gate_short_circuit", (True, None, False))
    assert {"gate_short_circuit", "gate_hard_reject", "gate_gated"} <= VERBS[verb].shapes.keys()


def test_a_retried_write_gets_the_same_verdict_and_the_same_proposal(cast: Cast, now: datetime) -> None:
    make_policy(cast.project, now=now, mode="review")
    ada = cast.ada.by_key(now=now)
    first, second, third = (said("write", ada, now=now, content="x").answer for _ in range(3))
    assert isinstance(first, shapes.ShortCircuit)
    assert isinstance(second, shapes.ShortCircuit)
    assert (second.verdict, second.hint, second.pid, second) == (first.verdict, first.hint, first.pid, third)


POLICIES = st.fixed_dictionaries(
    {
        "mode": st.sampled_from(["open", "review", "none"]),
        "on_finding": st.sampled_from(["redact", "reject"]),
        "on_conflict_for_agents": st.sampled_from(["record", "defer", "reject"]),
        "rules": st.lists(
            st.fixed_dictionaries(
                {"then": st.sampled_from(["REJECT", "DEFER"]), "because": st.just("So.")},
                optional={"longer_than": st.integers(0, 40), "matches": st.sampled_from(["token", "^known", "ы"])},
            ),
            max_size=2,
        ),
    }
)
TEXTS = st.one_of(
    st.sampled_from(["known", f"the token is {SECRET}", f"{SECRET}", "the token is in the vault", "ок", "。"]),
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=60).filter(str.strip),
)
WRITES = st.fixed_dictionaries(
    {"content": TEXTS},
    optional={
        "fact_key": st.just("k"),
        "gated": st.booleans(),
        "consistency": st.booleans(),
        "on_conflict": st.sampled_from(["record", "defer", "reject"]),
        "content_kind": st.sampled_from(["fact", "summary"]),
        "visibility": st.sampled_from(["author", "department", "project"]),
        "importance": st.sampled_from([0.0, 0.5]),
        "tags": st.lists(st.sampled_from(["plain", SECRET]), max_size=2),
        "metadata": st.sampled_from([{}, {"note": SECRET}]),
    },
)


@pytest.fixture
def known(cast: Cast, now: datetime) -> Cast:
    remember(cast.cy.by_key(now=now), "known", now=now, fact_key="k")
    return cast


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(policy=POLICIES, write=WRITES)
def test_no_write_goes_without_the_trio_and_no_secret_into_a_proposal(
    known: Cast, now: datetime, policy: dict[str, Any], write: dict[str, Any]
) -> None:
    cast = known
    make_policy(cast.project, now=now, **policy)
    outcome = said("write", cast.ada.by_key(now=now), now=now, **write)
    _, id, committed = trio_of(outcome)
    assert committed is (id is not None)
    assert SECRET not in outcome.answer.as_json()  # type: ignore[union-attr]
    with acting_for(cast.organization.id):
        rows = [str(row) for row in Proposal.objects.values()] + [str(row) for row in Record.objects.values()]
    assert not any(SECRET[4:] in row for row in rows)
