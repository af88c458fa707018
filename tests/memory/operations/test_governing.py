"""A project's policy and its capabilities: who sets them, what trying one out tells, and to whom."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from memory.operations import governing, registering
from memory.protocol import shapes
from orgs.caller import Caller
from orgs.errors import Forbidden, Invalid, Refusal, TooMany, Unknown
from orgs.models import AuditEvent
from orgs.roles import Permission
from orgs.tenancy import acting_for
from tests.cast import Cast
from tests.memory.review.proposing import proposed
from tests.memory.writing import remember, said

SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
RULE = {"matches": "quokka", "then": "DEFER", "because": "Ask the keeper."}
CAPABILITY = {"name": "deploy.staging", "description": "Puts a branch on staging.", "when": "Before a review."}


@pytest.fixture
def oz(cast: Cast, now: datetime) -> Caller:
    return cast.oz.signed_in(now=now)


def set_policy(caller: Caller, *, now: datetime, project: str | None = None, **policy: Any) -> shapes.Answer | None:
    return governing.set_policy(caller, policy, project=project, now=now).answer


def tried(caller: Caller, **policy: Any) -> shapes.DryRunAnswer:
    return governing.dry_run(caller, policy, project=None)


# ---------------------------------------------------------------- the policy


def test_a_policy_is_set_whole_and_in_force_at_once(oz: Caller, cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    assert governing.policy_in_force(oz, project=None).mode == "open"
    answer = set_policy(oz, now=now, mode="review", rules=[RULE], on_finding="reject", restore_needs_force=True)
    assert answer == governing.policy_in_force(oz, project=None) == governing.policy_in_force(oz, project="apollo")
    assert said("write", ada, now=now, content="wombat").form == "gate_short_circuit"
    set_policy(oz, now=now, on_conflict_for_agents="defer")
    policy = governing.policy_in_force(oz, project=None)
    assert (policy.mode, policy.rules, policy.on_finding, policy.restore_needs_force) == ("open", [], "redact", False)
    assert said("write", ada, now=now, content="wombat two").form == "committed"


def test_a_policy_is_a_projects_own(oz: Caller, cast: Cast, now: datetime) -> None:
    set_policy(oz, now=now, project="gemini", mode="review")
    assert governing.policy_in_force(oz, project="apollo").mode == "open"
    assert said("write", cast.dot.by_key(now=now), now=now, content="x").form == "gate_short_circuit"
    with pytest.raises(Unknown):
        set_policy(cast.eve.signed_in(now=now), now=now, project="gemini", mode="none")
    nowhere = replace(oz, project_id=None)
    with pytest.raises(Unknown):
        governing.policy_in_force(nowhere, project=None)
    assert governing.policy_in_force(nowhere, project="gemini").mode == "review"


@pytest.mark.parametrize("name", ["ada", "hal", "kit"])
def test_only_those_who_manage_a_project_read_try_or_set_its_policy(cast: Cast, now: datetime, name: str) -> None:
    for caller in (cast.everybody[name].signed_in(now=now), cast.everybody[name].by_key(now=now)):
        for act in (
            lambda: governing.policy_in_force(caller, project=None),  # noqa: B023 — called within the same turn
            lambda: set_policy(caller, now=now, mode="none"),  # noqa: B023
            lambda: tried(caller, mode="none"),  # noqa: B023
            lambda: registering.register(caller, CAPABILITY, project=None, now=now),  # noqa: B023
            lambda: registering.withdraw(caller, "x", project=None, now=now),  # noqa: B023
        ):
            with pytest.raises(Forbidden):
                act()


@pytest.mark.parametrize(
    ("policy", "field"),
    [
        ({"mode": "closed"}, "mode"),
        ({"modes": "open"}, "modes"),
        ({"rules": [{**RULE, "matches": "(?=x)"}]}, "rules.0"),
        ({"rules": [{**RULE, "matches": "(a)\\1"}]}, "rules.0"),
        ({"rules": [{"then": "ACCEPT", "because": "x"}]}, "rules.0"),
        ({"rules": [{"then": "REJECT"}]}, "rules.0"),
        ({"rules": [RULE] * 101}, "rules"),
        ({"restore_needs_force": "yes"}, "restore_needs_force"),
    ],
)
def test_a_policy_is_taken_strictly(oz: Caller, now: datetime, policy: dict[str, Any], field: str) -> None:
    for act in (lambda: set_policy(oz, now=now, **policy), lambda: tried(oz, **policy)):
        with pytest.raises(Invalid) as refused:
            act()
        assert refused.value.field == field
    assert governing.policy_in_force(oz, project=None).mode == "open"


def test_a_policy_is_redacted_and_its_change_is_in_the_audit_log(oz: Caller, now: datetime) -> None:
    answer = set_policy(oz, now=now, rules=[{**RULE, "because": f"see {SECRET}"}])
    assert answer is not None
    with acting_for(oz.organization_id):
        (event,) = AuditEvent.objects.filter(verb="policy.set")
    assert SECRET not in answer.as_json() + event.details
    assert '"before":{"mode":"open"' in event.details


def test_an_answer_said_again_is_not_said_to_who_lost_the_right(oz: Caller, now: datetime) -> None:
    first = governing.set_policy(oz, {"mode": "review"}, project=None, now=now, idempotency_key="k")
    again = governing.set_policy(oz, {"mode": "review"}, project=None, now=now, idempotency_key="k")
    assert (first.replayed, again.replayed, again.answer) == (False, True, first.answer)
    with pytest.raises(Refusal, match="another call"):
        governing.set_policy(oz, {"mode": "review"}, project="gemini", now=now, idempotency_key="k")
    demoted = replace(oz, projects={id: frozenset({Permission.VIEW}) for id in oz.projects})
    with pytest.raises(Forbidden):
        governing.set_policy(demoted, {"mode": "review"}, project=None, now=now, idempotency_key="k")


# ---------------------------------------------------------------- trying one out


def test_a_dry_run_tells_what_would_have_become_of_the_last_writes(oz: Caller, cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    first = remember(ada, "quokkas sleep", now=now, confidence=0.9)
    second = remember(oz, "wombats dig", now=now, confidence=0.2)
    remember(cast.dot.by_key(now=now), "quokkas elsewhere", now=now, visibility="organization")
    pid = proposed(ada, "quokkas bark", now=now, **_contradicting(ada, now=now))
    rules = [{"below_confidence": 0.3, "then": "REJECT", "because": "Too unsure."}, RULE]
    answer = tried(oz, rules=rules)
    assert (answer.looked_at, answer.accepted, answer.held, answer.rejected) == (4, 1, 2, 1)
    assert {(write.id, write.kind, write.state, write.basis) for write in answer.writes} == {
        (second.id, "record", "REJECT", "rule 1"),
        (first.id, "record", "DEFER", "rule 2"),
        (pid, "proposal", "DEFER", "rule 2"),
    }
    by_agents = tried(oz, mode="review")
    assert (by_agents.held, second.id in {write.id for write in by_agents.writes}) == (3, False)
    assert tried(oz, mode="none").held == 4
    assert governing.policy_in_force(oz, project=None).mode == "open"


def _contradicting(caller: Caller, *, now: datetime) -> dict[str, str]:
    remember(caller, "they are silent", now=now, fact_key="zoo.voice")
    return {"fact_key": "zoo.voice", "on_conflict": "defer"}


def test_a_dry_run_counts_no_write_that_one_may_not_see(oz: Caller, cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    remember(ada, "quokka draft", now=now, visibility="author")
    proposed(ada, "quokka plan", now=now, visibility="author", **_contradicting(ada, now=now))
    answer = tried(oz, rules=[RULE])
    assert (answer.looked_at, answer.held, answer.writes) == (1, 0, [])


def test_a_dry_run_looks_at_the_newest(oz: Caller, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(governing, "LAST_WRITES", 2)
    kept = [remember(oz, f"quokka {number}", now=now).id for number in range(4)]
    answer = tried(oz, rules=[RULE])
    assert (answer.looked_at, [write.id for write in answer.writes]) == (2, kept[:1:-1])


# ---------------------------------------------------------------- capabilities


def test_a_registered_capability_is_listed_and_suggested_and_then_withdrawn(
    oz: Caller, cast: Cast, now: datetime
) -> None:
    ada = cast.ada.by_key(now=now)
    made = registering.register(oz, CAPABILITY, project=None, now=now)
    replaced = registering.register(oz, {**CAPABILITY, "when": "Any time."}, project=None, now=now)
    assert (made.form, replaced.form) == ("registered", "replaced")
    assert [one.when for one in registering.registered(ada, project=None).results] == ["Any time."]
    assert "deploy.staging" in _suggested(ada, now=now)
    assert registering.registered(cast.dot.by_key(now=now), project=None).results == []
    registering.withdraw(oz, "deploy.staging", project=None, now=now)
    assert "deploy.staging" not in _suggested(ada, now=now)
    with pytest.raises(Unknown):
        registering.withdraw(oz, "deploy.staging", project=None, now=now)
    with acting_for(oz.organization_id):
        verbs = AuditEvent.objects.filter(object_type="capability").order_by("number").values_list("verb", flat=True)
        assert list(verbs) == ["capability.registered", "capability.replaced", "capability.withdrawn"]


def _suggested(caller: Caller, *, now: datetime) -> set[str]:
    answer = said("route", caller, now=now, intent="put a branch on staging").answer
    assert isinstance(answer, shapes.RouteAnswer)
    return {one.name for one in answer.suggested_capabilities or []}


@pytest.mark.parametrize("field", ["name", "description", "when"])
def test_fc09_the_texts_of_a_capability_are_redacted(oz: Caller, now: datetime, field: str) -> None:
    made = registering.register(oz, {**CAPABILITY, field: f"use {SECRET}"}, project=None, now=now).answer
    assert made is not None
    shown = registering.registered(oz, project=None).as_json()
    assert (SECRET in made.as_json() + shown, "redacted" in shown) == (False, True)


@pytest.mark.parametrize("name", ["a/b", "a?b", "a#b", "100%", " a", "a\nb", "..", "", "x" * 101])
def test_a_capability_has_a_name_that_an_address_can_hold(oz: Caller, now: datetime, name: str) -> None:
    with pytest.raises(Invalid) as refused:
        registering.register(oz, {**CAPABILITY, "name": name}, project=None, now=now)
    assert refused.value.field == "name"


def test_a_project_has_only_so_many_capabilities(oz: Caller, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registering, "AT_MOST", 1)
    registering.register(oz, CAPABILITY, project=None, now=now)
    with pytest.raises(TooMany):
        registering.register(oz, {**CAPABILITY, "name": "another"}, project=None, now=now)
    assert registering.register(oz, CAPABILITY, project=None, now=now).form == "replaced"
