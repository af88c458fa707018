"""Each gate alone: what it lets pass, what it stops, and with which answer."""

from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import override_settings

from memory.drafts import Draft, Stop
from memory.gates import audit, consistency, contract, forgetting, limits, secrets
from memory.models import Proposal
from memory.policies import Policy
from memory.protocol import shapes
from memory.protocol.parsing import parse
from memory.protocol.shapes import PolicyRule
from memory.versions import Authorship
from orgs.caller import Caller
from orgs.errors import Forbidden, Invalid, TooLarge, TooMany, Unknown
from orgs.tenancy import acting_for
from tests.cast import Cast
from tests.memory.review.proposing import decided, proposed
from tests.memory.writing import forget, remember

LONG = (
    "The staging database of the billing team listens behind the pooler in Frankfurt on host {} every weekday morning"
)


def draft(
    caller: Caller, *, now: datetime, policy: Policy | None = None, redactions: Any = None, **fields: Any
) -> Draft:
    return Draft(
        caller=caller,
        by=Authorship.of(caller),
        inputs=parse(shapes.WriteInputs, {"content": "quokkas sleep by day", **fields}),
        policy=policy or Policy(),
        redactions=redactions or {},
        now=now,
    )


def through(gate: Any, made: Draft) -> Draft | Stop:
    with acting_for(made.caller.organization_id):
        ruling: Draft | Stop = gate(made)
    return ruling


def told(stop: Draft | Stop) -> Any:
    assert isinstance(stop, Stop), "it passed"
    return stop.answer


def rule(then: str = "REJECT", **conditions: Any) -> PolicyRule:
    return parse(PolicyRule, {"then": then, "because": "So it is.", **conditions})


# ---------------------------------------------------------------- secrets


@pytest.mark.parametrize(
    ("on_finding", "redactions", "stops"),
    [
        ("redact", {}, False),
        ("redact", {"password": 1}, False),
        ("reject", {}, False),
        ("reject", {"password": 2}, True),
    ],
)
def test_a_write_with_a_secret_is_stopped_only_where_the_policy_says_so(
    cast: Cast, now: datetime, on_finding: Any, redactions: dict[str, int], stops: bool
) -> None:
    made = draft(cast.ada.by_key(now=now), now=now, policy=Policy(on_finding=on_finding), redactions=redactions)
    ruling = secrets(made)
    if not stops:
        assert ruling is made
        return
    answer = told(ruling)
    assert (answer.ok, answer.id, answer.committed, answer.gate, answer.error) == (
        False,
        None,
        False,
        "redaction",
        "SECRET",
    )
    assert "password" in answer.hint


# ---------------------------------------------------------------- contract


def test_fc26_e050_names_completely_what_is_absent_hidden_foreign_or_forgotten(cast: Cast, now: datetime) -> None:
    ben = cast.ben.by_key(now=now)
    live = remember(ben, "live", now=now).id
    gone = remember(ben, "gone", now=now).id
    forget(ben, now=now, memory_id=str(gone))
    hidden = remember(cast.ada.by_key(now=now), "a draft", now=now, visibility="author").id
    foreign = remember(cast.eve.by_key(now=now), "foreign", now=now).id
    absent = uuid4()
    named = {
        "derived_from": [str(i) for i in (gone, live, hidden)],
        "depends_on": [str(i) for i in (absent, foreign, gone)],
    }
    answer = told(through(contract, draft(ben, now=now, **named)))
    assert (answer.ok, answer.id, answer.committed, answer.gate, answer.error) == (
        False,
        None,
        False,
        "contract",
        "E050",
    )
    assert answer.missing == [str(id) for id in (gone, hidden, absent, foreign)]


@pytest.mark.parametrize("kind", ["summary", "conclusion", "Summary", " CONCLUSION "])
@pytest.mark.parametrize("declares", [None, "derived_from", "depends_on"])
def test_e051_a_conclusion_says_what_it_was_drawn_from(
    cast: Cast, now: datetime, kind: str, declares: str | None
) -> None:
    ada = cast.ada.by_key(now=now)
    named = {declares: [str(remember(ada, "live", now=now).id)]} if declares else {}
    ruling = through(contract, draft(ada, now=now, content_kind=kind, **named))
    if declares:
        assert isinstance(ruling, Draft)
    else:
        assert (told(ruling).error, told(ruling).missing) == ("E051", ["derived_from", "depends_on"])


@pytest.mark.parametrize("kind", ["fact", "decision", "summary of a meeting", None])
def test_other_kinds_need_declare_nothing(cast: Cast, now: datetime, kind: str | None) -> None:
    made = draft(cast.ada.by_key(now=now), now=now, **({"content_kind": kind} if kind else {}))
    assert through(contract, made) is made


# ---------------------------------------------------------------- audit

JUDGED = [  # mode, rules, by an agent?, the verdict's state, kind and basis
    ("open", (), True, "ACCEPT", "mode", "open"),
    ("open", (), False, "ACCEPT", "mode", "open"),
    ("review", (), True, "DEFER", "mode", "review"),
    ("review", (), False, "ACCEPT", "mode", "review"),
    ("none", (), True, "BLINDSPOT", "mode", "no policy"),
    ("none", (), False, "BLINDSPOT", "mode", "no policy"),
    ("open", ({"from_agents": True},), True, "REJECT", "rule", "rule 1"),
    ("open", ({"from_agents": True},), False, "ACCEPT", "mode", "open"),
    ("open", ({"from_agents": False, "then": "DEFER"},), False, "DEFER", "rule", "rule 1"),
    ("review", ({"sources": ["telegram"]}, {"sources": ["owner"]}), True, "REJECT", "rule", "rule 2"),
    ("none", ({"content_kinds": ["fact"], "then": "DEFER"},), True, "DEFER", "rule", "rule 1"),
    ("open", ({"content_kinds": ["decision"]},), True, "ACCEPT", "mode", "open"),
    ("open", ({"below_confidence": 0.6, "then": "DEFER"}, {"below_confidence": 0.6}), True, "DEFER", "rule", "rule 1"),
    ("open", ({"below_confidence": 0.5},), True, "ACCEPT", "mode", "open"),
    ("open", ({"longer_than": 19},), True, "REJECT", "rule", "rule 1"),
    ("open", ({"longer_than": 20},), True, "ACCEPT", "mode", "open"),
    ("open", ({"matches": "quokkas? sleep"},), True, "REJECT", "rule", "rule 1"),
    ("open", ({"matches": "quokkas? sleep", "from_agents": False},), True, "ACCEPT", "mode", "open"),
    ("open", ({},), False, "REJECT", "rule", "rule 1"),
]


@pytest.mark.parametrize(("mode", "rules", "by_agent", "state", "kind", "basis"), JUDGED)
def test_a_policy_judges_by_its_first_rule_that_fits_or_by_its_mode(
    mode: Any, rules: tuple[dict[str, Any], ...], by_agent: bool, state: str, kind: str, basis: str
) -> None:
    policy = Policy(mode=mode, rules=tuple(rule(**conditions) for conditions in rules))
    write = parse(shapes.WriteInputs, {"content": "quokkas sleep by day", "content_kind": "fact"})
    judged = policy.judge(write, by_agent=by_agent)
    assert (judged.state, judged.kind, judged.basis) == (state, kind, basis)
    assert set(shapes.Verdict.model_fields) == {"state", "kind", "basis", "evidence", "detail"}
    assert judged.model_fields_set == set(shapes.Verdict.model_fields)


@pytest.mark.parametrize(
    ("policy", "moved_to", "state"),
    [
        (Policy(mode="review"), "review_queue", "pending"),
        (Policy(mode="none"), "review_queue", "pending"),
        (Policy(rules=(rule("DEFER"),)), "review_queue", "pending"),
        (Policy(rules=(rule("REJECT"),)), "rejected", "rejected"),
    ],
)
def test_a_write_that_is_not_accepted_is_kept_once_for_the_same_content(
    cast: Cast, now: datetime, policy: Policy, moved_to: str, state: str
) -> None:
    ada = cast.ada.by_key(now=now)
    first = told(through(audit, draft(ada, now=now, policy=policy)))
    again = told(
        through(audit, draft(cast.cy.by_key(now=now), now=now, policy=policy, content=" quokkas sleep by day\n"))
    )
    other = told(through(audit, draft(ada, now=now, policy=policy, workspace="elsewhere")))
    assert (first.ok, first.id, first.committed, first.moved_to, first.dedup) == (True, None, False, moved_to, None)
    assert (again.pid, again.dedup, again.dup_of, again.dup_status) == (first.pid, True, first.pid, state)
    assert again.verdict.state == first.verdict.state
    assert other.pid != first.pid
    assert str(first.pid) in first.hint
    with acting_for(ada.organization_id):
        assert sorted(Proposal.objects.filter(state=state).values_list("id", flat=True)) == sorted(
            [first.pid, other.pid]
        )


def test_a_proposal_one_may_not_see_is_no_duplicate_and_no_memory(cast: Cast, now: datetime) -> None:
    policy = Policy(mode="review")
    draft_of_ada = told(through(audit, draft(cast.ada.by_key(now=now), now=now, policy=policy, visibility="author")))
    for person in (cast.ben, cast.dot, cast.eve):
        own = told(through(audit, draft(person.by_key(now=now), now=now, policy=policy)))
        assert (own.dedup, own.pid != draft_of_ada.pid) == (None, True)


def test_what_a_rule_rejected_is_judged_anew_when_the_rule_is_gone(cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    refused = told(through(audit, draft(ada, now=now, policy=Policy(rules=(rule(),)))))
    assert isinstance(through(audit, draft(ada, now=now)), Draft)
    held = told(through(audit, draft(ada, now=now, policy=Policy(mode="review"))))
    assert (held.moved_to, held.dedup, held.pid != refused.pid) == ("review_queue", None, True)


def test_nothing_is_held_that_could_never_be_stored(cast: Cast, now: datetime) -> None:
    ada, policy = cast.ada.by_key(now=now), Policy(mode="review")
    narrow = replace(ada, every_workspace=False, workspaces=frozenset({"infra"}))
    with pytest.raises(Invalid):
        through(audit, draft(ada, now=now, policy=policy, fact_key="archivist:shelf:1"))
    with pytest.raises(Forbidden):
        through(audit, draft(cast.kit.by_key(now=now), now=now, policy=policy, visibility="organization"))
    with pytest.raises(Unknown):
        through(audit, draft(narrow, now=now, policy=policy, workspace="billing"))
    with override_settings(MAX_CONTENT_CHARACTERS=1_000), pytest.raises(TooLarge):
        through(audit, draft(ada, now=now, policy=policy, content="x" * 1_001))
    with acting_for(ada.organization_id):
        assert Proposal.objects.count() == 0


def test_a_full_queue_takes_no_more_and_says_so(cast: Cast, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.proposals.KEPT_AT_MOST", 1)
    ada, policy = cast.ada.by_key(now=now), Policy(mode="review")
    through(audit, draft(ada, now=now, policy=policy))
    with pytest.raises(TooMany):
        through(audit, draft(ada, now=now, policy=policy, content="another"))
    assert told(through(audit, draft(ada, now=now, policy=policy))).dedup is True


def test_refused_writes_are_kept_in_no_greater_number(cast: Cast, now: datetime, monkeypatch) -> None:
    monkeypatch.setattr("memory.proposals.KEPT_AT_MOST", 2)
    ada, policy = cast.ada.by_key(now=now), Policy(rules=(rule("REJECT"),))
    with acting_for(ada.organization_id):
        answers = [told(through(audit, draft(ada, now=now, policy=policy, content=f"fact {n}"))) for n in range(4)]
        assert ([answer.pid is None for answer in answers], Proposal.objects.count()) == ([False] * 2 + [True] * 2, 2)
    assert {(answer.moved_to, answer.verdict.state) for answer in answers} == {("rejected", "REJECT")}


# ---------------------------------------------------------------- consistency


@pytest.mark.parametrize(
    ("on_conflict", "default", "by_key", "moved_to"),
    [
        (None, "record", True, None),
        (None, "defer", True, "review_queue"),
        (None, "reject", True, "conflict_rejected"),
        (None, "reject", False, None),
        ("record", "reject", True, None),
        ("defer", "record", False, "review_queue"),
        ("reject", "defer", True, "conflict_rejected"),
    ],
)
def test_a_contradiction_goes_where_the_caller_or_else_the_project_says(
    cast: Cast, now: datetime, on_conflict: str | None, default: Any, by_key: bool, moved_to: str | None
) -> None:
    known = remember(cast.cy.by_key(now=now), "quokkas sleep by night", now=now, fact_key="Zoo.Quokka")
    caller = cast.ada.by_key(now=now) if by_key else cast.ada.signed_in(now=now)
    said = {"fact_key": "zoo.quokka", **({"on_conflict": on_conflict} if on_conflict else {})}
    made = draft(caller, now=now, policy=Policy(on_conflict_for_agents=default), **said)
    ruling = through(consistency, made)
    answer = ruling.answer if isinstance(ruling, Stop) else None
    found = answer.consistency if isinstance(answer, shapes.ShortCircuit) else getattr(ruling, "consistency", None)
    assert (found.conflicts, getattr(answer, "moved_to", None)) == ([known.id], moved_to)
    if isinstance(answer, shapes.ShortCircuit):
        state = {"review_queue": "DEFER", "conflict_rejected": "REJECT"}[str(moved_to)]
        assert (answer.verdict.state, answer.verdict.evidence, answer.ok) == (state, [str(known.id)], True)
        assert (answer.pid is not None) == (moved_to == "review_queue")


@pytest.mark.parametrize("on_conflict", ["record", "defer", "reject"])
@pytest.mark.parametrize("rival", ["another's draft", "another department's", "another project's", "forgotten"])
def test_a_hidden_version_neither_stops_a_write_nor_is_named(
    cast: Cast, now: datetime, rival: str, on_conflict: str
) -> None:
    writer, visibility = {
        "another's draft": (cast.ada, "author"),
        "another department's": (cast.cy, "department"),
        "another project's": (cast.dot, "organization"),
        "forgotten": (cast.ben, "project"),
    }[rival]
    hidden = remember(writer.by_key(now=now), "by night", now=now, fact_key="zoo.quokka", visibility=visibility)
    if rival == "forgotten":
        forget(writer.by_key(now=now), now=now, memory_id=str(hidden.id))
    ruling = through(
        consistency, draft(cast.ben.by_key(now=now), now=now, fact_key="zoo.quokka", on_conflict=on_conflict)
    )
    assert isinstance(ruling, Draft)
    assert ruling.consistency == shapes.Consistency(conflicts=[], on_conflict=on_conflict)


SOURCES = {"sha256:" + "a" * 64: False, "sha256:" + "b" * 64: True, "rev-7": False}


@pytest.mark.parametrize(("source_hash", "contradicts"), SOURCES.items())
def test_the_gate_and_the_status_agree_on_what_contradicts(
    cast: Cast, now: datetime, source_hash: str, contradicts: bool
) -> None:
    ada = cast.ada.by_key(now=now)
    same = {"content": "quokkas sleep by day", "fact_key": "zoo.quokka"}
    remember(ada, now=now, source_hash="sha256:" + "A" * 64, **same)
    ruling = through(consistency, draft(ada, now=now, source_hash=source_hash, on_conflict="reject", **same))
    assert isinstance(ruling, Stop) is contradicts
    stored = remember(ada, now=now, source_hash=source_hash, **same)
    assert stored.status == ("conflict" if contradicts else "unverified")


@pytest.mark.parametrize("said", [{"consistency": False, "fact_key": "zoo.quokka"}, {}, {"fact_key": "zoo.other"}])
def test_without_the_question_or_another_version_nothing_is_in_the_way(
    cast: Cast, now: datetime, said: dict[str, Any]
) -> None:
    ada = cast.ada.by_key(now=now)
    remember(ada, "by night", now=now, fact_key="zoo.quokka")
    assert isinstance(through(consistency, draft(ada, now=now, on_conflict="reject", **said)), Draft)


# ---------------------------------------------------------------- forgetting


def gated(caller: Caller, content: str, *, now: datetime, **fields: Any) -> Draft | Stop:
    made = draft(caller, now=now, content=content, gated=True, **fields)
    with acting_for(caller.organization_id):
        ruling = consistency(made)
        return forgetting(ruling) if isinstance(ruling, Draft) else ruling


QUESTIONS = [  # what is written, with what; the verdict's state, kind and question
    (LONG.format("seven"), {}, "REJECT", "MERGE", "duplicate"),
    (
        "Frankfurt behind the pooler: the billing team, staging database listens on host seven",
        {},
        "REJECT",
        "MERGE",
        "surprise",
    ),
    (LONG.format("10.0.0.7"), {}, "DEFER", "DEFER", "surprise"),
    (LONG.format("nine") + " and Saturday", {}, "DEFER", "DEFER", "surprise"),
    ("Quokkas of the zoo sleep by day and feed at night", {}, "ACCEPT", "ACCEPT", "surprise"),
    ("Quokkas of the zoo sleep by day and feed at night", {"importance": 0.1}, "REJECT", "DROP", "matters"),
    ("Quokkas of the zoo sleep by day and feed at night", {"importance": 0.0}, "REJECT", "DROP", "matters"),
    ("Quokkas of the zoo sleep by day and feed at night", {"importance": 0.2}, "ACCEPT", "ACCEPT", "surprise"),
    ("ok", {}, "REJECT", "DROP", "matters"),
]


@pytest.mark.parametrize(("content", "fields", "state", "kind", "question"), QUESTIONS)
def test_three_questions_are_asked_of_a_gated_write(
    cast: Cast, now: datetime, content: str, fields: dict[str, Any], state: str, kind: str, question: str
) -> None:
    ada = cast.ada.by_key(now=now)
    known = remember(ada, LONG.format("seven"), now=now)
    ruling = gated(ada, content, now=now, **fields)
    verdict = ruling.answer.verdict if isinstance(ruling, Stop) else ruling.verdict  # type: ignore[attr-defined]
    assert (verdict.state, verdict.kind, verdict.basis) == (state, kind, question)
    if isinstance(ruling, Draft):
        assert ruling.gate == "gated"
        return
    moved_to = {"MERGE": f"merged_into:{known.id}", "DROP": "dropped", "DEFER": "review_queue"}[kind]
    assert (ruling.answer.moved_to, ruling.answer.committed) == (moved_to, False)  # type: ignore[attr-defined]
    assert (ruling.form == "gate_short_circuit") == (kind == "DEFER")


def test_what_contradicts_a_version_is_never_merged_into_it(cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    words = " ".join(
        f"{a}{b}" for a in ("alpha", "beta", "gamma", "delta", "omega") for b in ("ly", "man", "ton", "ville")
    )
    remember(ada, f"deploys go by systemd {words}", now=now, fact_key="deploy.method")
    assert told(gated(ada, f"deploys go by compose {words}", now=now)).verdict.kind == "MERGE"
    assert told(gated(ada, f"deploys go by compose {words}", now=now, fact_key="deploy.method")).verdict.kind == "DEFER"


def test_a_hidden_record_makes_nothing_known(cast: Cast, now: datetime) -> None:
    remember(cast.ada.by_key(now=now), LONG.format("seven"), now=now, visibility="author")
    remember(cast.dot.by_key(now=now), LONG.format("seven"), now=now, visibility="organization")
    for content in (LONG.format("seven"), LONG.format("eight")):
        ruling = gated(cast.ben.by_key(now=now), content, now=now)
        assert isinstance(ruling, Draft)
        assert ruling.verdict is not None
        assert not any(isinstance(piece, str) for piece in ruling.verdict.evidence)


def test_a_write_that_does_not_ask_is_not_asked(cast: Cast, now: datetime) -> None:
    made = draft(cast.ada.by_key(now=now), now=now, content="ok", importance=0.0)
    assert forgetting(made) is made


# ---------------------------------------------------------------- limits


@override_settings(MAX_CONTENT_CHARACTERS=1_000)
def test_a_text_longer_than_this_server_takes_is_refused_and_the_limit_told(cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    fits = draft(ada, now=now, content="x" * 1_000)
    assert limits(fits) is fits
    with pytest.raises(TooLarge) as refused:
        limits(draft(ada, now=now, content="x" * 1_001))
    assert refused.value.data == {"limit_characters": 1_000}


# ---------------------------------------------------------------- a person's no, and the gate's


def test_a_persons_rejection_outlives_every_policy(cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    remember(ada, "other", now=now, fact_key="k")
    pid: UUID = proposed(ada, "quokkas sleep by day", now=now, fact_key="k", on_conflict="defer")
    decided("reject", cast.cy.by_key(now=now), pid, now=now, reason="By night.")
    for policy in (Policy(), Policy(mode="review"), Policy(rules=(rule("DEFER"),))):
        answer = told(through(audit, draft(ada, now=now, policy=policy)))
        assert (answer.moved_to, answer.verdict.kind, answer.verdict.detail) == (
            "rejected",
            "negative_memory",
            "By night.",
        )
