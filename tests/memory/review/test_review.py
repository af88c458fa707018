"""What becomes of proposals, and who is told."""

from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID, uuid4

import pytest

from memory.models import Derivation, Record
from memory.protocol import shapes
from memory.review.waiting import listed, one_proposal
from orgs.caller import Caller
from orgs.errors import Clash, Forbidden, Invalid, Unknown, Unprocessable
from orgs.models import AuditEvent
from orgs.roles import Permission, Visibility
from orgs.tenancy import acting_for
from tests.cast import Cast
from tests.memory.review.proposing import decided, make_policy, proposal_row, proposed, queue
from tests.memory.test_visibility import READERS, SEES
from tests.memory.writing import forget, found, remember, said

SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"


@pytest.fixture
def reviewed(cast: Cast, now: datetime) -> Cast:
    """Let agents' writes wait for a person."""
    make_policy(cast.project, now=now, mode="review")
    return cast


def only(caller: Caller, permission: Permission) -> Caller:
    return replace(caller, projects={id: frozenset({Permission.VIEW, permission}) for id in caller.projects})


def record_of(caller: Caller, id: UUID | None) -> Record:
    with acting_for(caller.organization_id):
        return Record.objects.get(id=id)


# ---------------------------------------------------------------- accept


def test_an_accepted_proposal_is_its_authors_record_as_it_was_proposed(reviewed: Cast, now: datetime) -> None:
    ada, hal = reviewed.ada.by_key(now=now), reviewed.hal.by_key(now=now)
    source = remember(reviewed.ada.signed_in(now=now), "read in the handbook", now=now)
    pid = proposed(
        *(ada, "quokkas sleep by day"),
        now=now,
        visibility="department",
        fact_key="Zoo.Quokka",
        tags=["zoo"],
        confidence=0.9,
        derived_from=[str(source.id)],
        metadata={"page": 3},
        observed_at="2026-01-02T03:04:05+00:00",
    )
    assert found(ada, "quokkas", now=now) == []
    later = now + timedelta(hours=1)
    answer = decided("accept", hal, pid, now=later)
    (shown,) = found(reviewed.ben.by_key(now=now), "quokkas", now=later)
    assert (answer.state, answer.committed, answer.id) == ("accepted", True, shown.id)
    assert (shown.author, shown.department, shown.visibility) == (ada.user_id, ada.home_department_id, "department")
    assert (shown.fact_key, shown.tags, shown.confidence, shown.metadata) == ("zoo.quokka", ["zoo"], 0.9, {"page": 3})
    assert (shown.derived_from, shown.created_at) == ([source.id], later)
    assert shown.observed_at.isoformat() == "2026-01-02T03:04:05+00:00"
    assert record_of(ada, shown.id).key_id == ada.key_id
    row = proposal_row(ada, pid)
    assert (row.state, row.decided_at, row.decided_by_id, row.record_id) == ("accepted", later, hal.user_id, shown.id)


def test_a_reviewers_own_limits_do_not_narrow_what_the_author_was_allowed(reviewed: Cast, now: datetime) -> None:
    pid = proposed(reviewed.ada.by_key(now=now), "quokka", now=now, visibility="organization")
    narrow = replace(reviewed.cy.by_key(now=now), greatest_visibility=Visibility.PROJECT)
    assert record_of(narrow, decided("accept", narrow, pid, now=now).id).visibility == "organization"
    mine = proposed(reviewed.ada.by_key(now=now), "wombat", now=now, visibility="department")
    homeless = replace(reviewed.hal.signed_in(now=now), home_department_id=None)
    assert record_of(homeless, decided("accept", homeless, mine, now=now).id).department_id == reviewed.team.id


def test_edited_content_is_redacted_and_told(reviewed: Cast, now: datetime) -> None:
    ada, cy = reviewed.ada.by_key(now=now), reviewed.cy.by_key(now=now)
    pid = proposed(ada, "the token is in the vault", now=now)
    answer = decided("accept", cy, pid, now=now, content=f"the token is {SECRET}", fact_key="Token.Place")
    record = record_of(ada, answer.id)
    assert (SECRET in record.content, record.fact_key, record.author_id) == (False, "token.place", ada.user_id)
    assert sum((answer.redactions or {}).values()) == 1


def test_what_is_edited_passes_the_contract_again(reviewed: Cast, now: datetime) -> None:
    ada, cy = reviewed.ada.by_key(now=now), reviewed.cy.by_key(now=now)
    hidden = remember(reviewed.hal.signed_in(now=now), "a draft", now=now, visibility="author")
    missing = [str(uuid4()), str(hidden.id)]
    pid = proposed(ada, "quokka", now=now)
    with pytest.raises(Unprocessable) as refused:
        decided("accept", cy, pid, now=now, derived_from=missing)
    assert refused.value.data == {"gate": "contract", "error": "E050", "missing": missing}
    assert proposal_row(ada, pid).state == "pending"
    with pytest.raises(Invalid):
        decided("accept", cy, pid, now=now, fact_key="archivist:shelf:1")


def test_a_project_that_refuses_secrets_refuses_them_from_its_reviewers_too(cast: Cast, now: datetime) -> None:
    make_policy(cast.project, now=now, mode="review", on_finding="reject")
    pid = proposed(cast.ada.by_key(now=now), "quokka", now=now)
    with pytest.raises(Unprocessable) as refused:
        decided("accept", cast.cy.by_key(now=now), pid, now=now, content=f"token {SECRET}")
    assert refused.value.data == {"gate": "redaction", "error": "SECRET"}


REJECTING = {"then": "REJECT", "because": "No passwords of people here."}


@pytest.mark.parametrize(
    ("rule", "edits"),
    [
        ({"matches": "(?i)birthday"}, {"content": "the code is Ada's birthday"}),
        ({"longer_than": 30}, {"content": "quokka " * 10}),
        ({"sources": ["telegram"]}, {}),  # the policy came after the proposal
        ({"from_agents": True}, {}),
    ],
)
def test_a_reviewer_lets_in_nothing_that_a_rule_rejects(cast: Cast, now: datetime, rule: dict, edits: dict) -> None:
    make_policy(cast.project, now=now, mode="review")
    pid = proposed(cast.ada.by_key(now=now), "quokka", now=now, source="telegram")
    make_policy(cast.project, now=now, mode="review", rules=[{**rule, **REJECTING}])
    cy = cast.cy.by_key(now=now)
    with pytest.raises(Unprocessable) as refused:
        decided("accept", cy, pid, now=now, **edits)
    verdict = refused.value.data["verdict"]
    assert (verdict["state"], verdict["basis"], verdict["detail"]) == ("REJECT", "rule 1", REJECTING["because"])
    assert (proposal_row(cy, pid).state, found(cy, "quokka", now=now)) == ("pending", [])
    make_policy(cast.project, now=now, mode="review", rules=[])
    assert decided("accept", cy, pid, now=now, **edits).committed is True


def test_what_a_rule_rejected_is_let_in_only_as_something_it_does_not_reject(cast: Cast, now: datetime) -> None:
    make_policy(cast.project, now=now, rules=[{"matches": "birthday", **REJECTING}])
    pid = proposed(cast.ada.by_key(now=now), "the code is a birthday", now=now)
    cy = cast.cy.by_key(now=now)
    with pytest.raises(Unprocessable):
        decided("accept", cy, pid, now=now)
    assert decided("accept", cy, pid, now=now, content="the code is random").committed is True


def test_sources_that_a_reviewer_does_not_see_are_kept_and_not_told(reviewed: Cast, now: datetime) -> None:
    ada, cy = reviewed.ada.by_key(now=now), reviewed.cy.by_key(now=now)
    draft = remember(reviewed.ada.signed_in(now=now), "a draft", now=now, visibility="author")
    pid = proposed(ada, "in short", now=now, content_kind="summary", derived_from=[str(draft.id)])
    assert one_proposal(cy, pid).inputs["derived_from"] == []
    answer = decided("accept", cy, pid, now=now)
    assert str(draft.id) not in answer.as_json()
    with acting_for(ada.organization_id):
        assert list(Derivation.objects.filter(summary_id=answer.id).values_list("source_id", flat=True)) == [draft.id]


def test_a_source_forgotten_since_is_missing_if_the_reviewer_knew_it(reviewed: Cast, now: datetime) -> None:
    ada, cy = reviewed.ada.by_key(now=now), reviewed.cy.by_key(now=now)
    shared = remember(reviewed.ada.signed_in(now=now), "a note", now=now)
    pid = proposed(ada, "in short", now=now, content_kind="summary", derived_from=[str(shared.id)])
    forget(ada, now=now, memory_id=str(shared.id))
    with pytest.raises(Unprocessable) as refused:
        decided("accept", cy, pid, now=now)
    assert refused.value.data["missing"] == [str(shared.id)]


# ---------------------------------------------------------------- what it supersedes


def replacing(caller: Caller, old: UUID, content: str, *, now: datetime) -> UUID:
    answer = said("supersede", caller, now=now, node_id=str(old), content=content).answer
    assert isinstance(answer, shapes.ShortCircuit)
    assert answer.pid
    return answer.pid


def test_accepting_puts_out_of_date_what_it_was_proposed_to_supersede(reviewed: Cast, now: datetime) -> None:
    ada, cy = reviewed.ada.by_key(now=now), reviewed.cy.by_key(now=now)
    old = remember(reviewed.ada.signed_in(now=now), "quokkas are grey", now=now, fact_key="zoo.quokka")
    pid = replacing(ada, old.id, "quokkas are brown", now=now)
    assert (one_proposal(cy, pid).supersedes, one_proposal(cy, pid).conflicts) == (old.id, [])
    answer = decided("accept", cy, pid, now=now)
    assert answer.supersedes == [old.id]
    assert [(r.id, r.status) for r in found(cy, "quokkas", now=now)] == [(answer.id, "unverified")]
    assert decided("accept", reviewed.hal.by_key(now=now), pid, now=now) == answer


def test_of_two_proposals_to_supersede_one_record_the_second_needs_a_word(reviewed: Cast, now: datetime) -> None:
    ada, cy = reviewed.ada.by_key(now=now), reviewed.cy.by_key(now=now)
    old = remember(reviewed.ada.signed_in(now=now), "quokkas are grey", now=now, fact_key="zoo.quokka")
    first, second = (replacing(ada, old.id, f"quokkas are {color}", now=now) for color in ("brown", "red"))
    brown = decided("accept", cy, first, now=now)
    assert one_proposal(cy, second).conflicts == [brown.id]
    with pytest.raises(Clash) as refused:
        decided("accept", cy, second, now=now)
    assert refused.value.data == {"state": "already_superseded"}
    assert decided("accept", cy, second, now=now, supersede=False).supersedes is None


def test_a_proposal_in_the_place_of_another_departments_record_stays_there(cast: Cast, now: datetime) -> None:
    make_policy(cast.project, now=now, rules=[{"matches": "brown", "then": "DEFER", "because": "Look at it."}])
    old = remember(cast.cy.by_key(now=now), "quokkas are grey", now=now, visibility="department")
    pid = replacing(cast.hal.by_key(now=now), old.id, "quokkas are brown", now=now)
    assert proposal_row(cast.hal.by_key(now=now), pid).department_id == cast.sales.id


# ---------------------------------------------------------------- merge and reject


def test_merging_stores_nothing(reviewed: Cast, now: datetime) -> None:
    ada, cy = reviewed.ada.by_key(now=now), reviewed.cy.by_key(now=now)
    known = remember(reviewed.ada.signed_in(now=now), "quokkas sleep by day", now=now)
    pid = proposed(ada, "by day, quokkas sleep", now=now)
    answer = decided("merge", cy, pid, now=now, into=str(known.id))
    assert (answer.state, answer.committed, answer.id, answer.merged_into) == ("merged", False, None, known.id)
    assert [record.id for record in found(cy, "quokkas", now=now)] == [known.id]
    assert one_proposal(ada, pid).record == known.id


def test_a_proposal_is_merged_only_into_a_live_record_of_its_project_that_one_sees(cast: Cast, now: datetime) -> None:
    make_policy(cast.project, now=now, mode="review")
    ada = cast.ada.signed_in(now=now)
    draft = remember(ada, "a draft", now=now, visibility="author")
    gone = remember(ada, "gone", now=now)
    forget(ada, now=now, memory_id=str(gone.id))
    elsewhere = remember(cast.dot.by_key(now=now), "for all", now=now, visibility="organization")
    foreign = remember(cast.eve.by_key(now=now), "foreign", now=now)
    pid = proposed(cast.ada.by_key(now=now), "quokka", now=now)
    for into in (draft.id, gone.id, elsewhere.id, foreign.id, uuid4()):
        with pytest.raises(Unknown, match="no such record"):
            decided("merge", cast.cy.by_key(now=now), pid, now=now, into=str(into))


def test_the_same_content_is_refused_once_a_person_rejected_it(reviewed: Cast, now: datetime) -> None:
    ada, cy = reviewed.ada.by_key(now=now), reviewed.cy.by_key(now=now)
    pid = proposed(ada, "quokkas bark", now=now)
    answer = decided("reject", cy, pid, now=now, reason=f"They don't; see {SECRET}")
    assert (answer.state, answer.id, answer.committed, SECRET in str(answer.reason)) == ("rejected", None, False, False)
    for caller, content in ((ada, "quokkas bark"), (reviewed.ben.signed_in(now=now), "  quokkas bark\n")):
        again = said("write", caller, now=now, content=content).answer
        assert isinstance(again, shapes.ShortCircuit)
        assert (again.moved_to, again.verdict.state, again.verdict.kind) == ("rejected", "REJECT", "negative_memory")
        assert (again.pid, again.dedup, again.dup_of, again.dup_status) == (pid, True, pid, "rejected")
        assert again.verdict.detail == answer.reason
    assert found(ada, "bark", now=now) == []


def test_what_was_rejected_may_be_accepted_later_and_is_then_refused_no_more(reviewed: Cast, now: datetime) -> None:
    ada, cy = reviewed.ada.by_key(now=now), reviewed.cy.by_key(now=now)
    pid = proposed(ada, "quokkas bark", now=now)
    decided("reject", cy, pid, now=now, reason="They don't.")
    assert decided("accept", cy, pid, now=now).committed is True
    person = reviewed.ada.signed_in(now=now)
    assert remember(person, "quokkas bark", now=now).committed is True


def test_a_rejected_draft_refuses_nobody_else(reviewed: Cast, now: datetime) -> None:
    ada, ben = reviewed.ada, reviewed.ben
    pid = proposed(ada.by_key(now=now), "quokkas bark", now=now, visibility="author")
    decided("reject", ada.signed_in(now=now), pid, now=now, reason="My mistake.")
    assert remember(ben.signed_in(now=now), "quokkas bark", now=now).committed is True


# ---------------------------------------------------------------- who may, and who is told


@pytest.mark.parametrize("act", ["accept", "merge", "reject"])
def test_only_reviewers_who_see_a_proposal_decide_on_it(reviewed: Cast, now: datetime, act: str) -> None:
    ada = reviewed.ada.by_key(now=now)
    pid = proposed(ada, "quokka", now=now, visibility="department")
    known = remember(reviewed.ada.signed_in(now=now), "known", now=now)
    inputs = {"accept": {}, "merge": {"into": str(known.id)}, "reject": {"reason": "no"}}[act]
    for stranger in (reviewed.cy, reviewed.dot, reviewed.eve, reviewed.kit):
        with pytest.raises(Unknown):
            decided(act, stranger.by_key(now=now), pid, now=now, **inputs)
    for held in (Permission.WRITE, Permission.FORGET, Permission.MANAGE):
        with pytest.raises(Forbidden):
            decided(act, only(reviewed.ben.by_key(now=now), held), pid, now=now, **inputs)
    assert proposal_row(ada, pid).state == "pending"
    assert decided(act, only(reviewed.ben.by_key(now=now), Permission.REVIEW), pid, now=now, **inputs).ok is True


@pytest.mark.parametrize("visibility", SEES)
def test_fc46_a_proposal_is_seen_by_those_who_would_see_the_record(
    reviewed: Cast, now: datetime, visibility: str
) -> None:
    pid = proposed(reviewed.ada.by_key(now=now), "quokka", now=now, visibility=visibility)
    lists, knows = set(), set()
    for name in READERS:
        for caller in (reviewed.everybody[name].by_key(now=now), reviewed.everybody[name].signed_in(now=now)):
            lists |= {name} if [p.pid for p in queue(caller)] == [pid] else set()
            with suppress(Unknown):
                knows |= {name} if one_proposal(caller, pid).pid == pid else set()
    assert (knows, lists) == (SEES[visibility], SEES[visibility] - {"dot"})


def test_who_proposed_it_follows_it_without_reviewing_but_not_without_reading(reviewed: Cast, now: datetime) -> None:
    ada = only(reviewed.ada.by_key(now=now), Permission.WRITE)
    pid = proposed(ada, "quokka", now=now, visibility="author")
    proposed(reviewed.ben.by_key(now=now), "wombat", now=now)
    assert one_proposal(ada, pid).state == "pending"
    assert [proposal.pid for proposal in queue(ada)] == [pid]
    blind = replace(ada, projects={id: frozenset({Permission.WRITE}) for id in ada.projects})
    for look in (lambda: one_proposal(blind, pid), lambda: queue(blind)):
        with pytest.raises(Forbidden):
            look()


def test_a_key_does_not_let_in_what_it_proposed_where_that_waits_for_a_person(reviewed: Cast, now: datetime) -> None:
    ada = reviewed.ada.by_key(now=now)
    pid = proposed(ada, "quokka", now=now)
    with pytest.raises(Forbidden):
        decided("accept", ada, pid, now=now)
    assert decided("accept", reviewed.ada.signed_in(now=now), pid, now=now).ok is True


def test_evidence_conflicts_and_ids_are_those_of_records_the_reader_sees(cast: Cast, now: datetime) -> None:
    ada, ben, cy = (cast.everybody[name].by_key(now=now) for name in ("ada", "ben", "cy"))
    shared = remember(ada, "quokkas are grey", now=now, fact_key="zoo.quokka")
    inner = remember(ada, "quokkas are pink", now=now, fact_key="zoo.quokka", visibility="department")
    pid = proposed(
        ada, "quokkas are brown", now=now, fact_key="zoo.quokka", on_conflict="defer", depends_on=[str(inner.id)]
    )
    for caller, seen in ((ben, [inner.id, shared.id]), (cy, [shared.id])):
        shown = one_proposal(caller, pid)
        assert shown.conflicts == seen
        assert shown.verdict.evidence == [str(id) for id in seen]
        assert (str(inner.id) in shown.as_json()) == (inner.id in seen)


def test_a_hidden_rival_that_appears_later_is_no_conflict_in_the_queue(reviewed: Cast, now: datetime) -> None:
    cy = reviewed.cy.by_key(now=now)
    pid = proposed(reviewed.ada.by_key(now=now), "quokkas are brown", now=now, fact_key="zoo.quokka")
    remember(reviewed.hal.signed_in(now=now), "pink", now=now, fact_key="zoo.quokka", visibility="author")
    assert one_proposal(cy, pid).conflicts == []
    seen = remember(reviewed.hal.signed_in(now=now), "grey", now=now, fact_key="zoo.quokka")
    assert one_proposal(cy, pid).conflicts == [seen.id]
    decided("accept", cy, pid, now=now)
    assert one_proposal(cy, pid).conflicts == []


# ---------------------------------------------------------------- decided alike, decided otherwise

CLASHES = {
    ("accept", "merge"): "accepted",
    ("accept", "reject"): "accepted",
    ("merge", "accept"): "merged",
    ("merge", "reject"): "merged",
}


@pytest.mark.parametrize("first", ["accept", "merge", "reject"])
@pytest.mark.parametrize("second", ["accept", "merge", "reject"])
def test_the_second_reviewer_gets_the_same_answer_or_is_told_the_state(
    reviewed: Cast, now: datetime, first: str, second: str
) -> None:
    known = remember(reviewed.ada.signed_in(now=now), "known", now=now)
    inputs = {"accept": {}, "merge": {"into": str(known.id)}, "reject": {"reason": "no"}}
    pid = proposed(reviewed.ada.by_key(now=now), "quokka", now=now)
    answer = decided(first, reviewed.ben.by_key(now=now), pid, now=now, **inputs[first])
    cy, later = reviewed.cy.by_key(now=now), now + timedelta(seconds=1)
    if state := CLASHES.get((first, second)):
        with pytest.raises(Clash) as refused:
            decided(second, cy, pid, now=later, **inputs[second])
        assert refused.value.data == {"state": state}
    elif first == second:
        assert decided(second, cy, pid, now=later, **inputs[second]) == answer
    else:
        assert decided(second, cy, pid, now=later, **inputs[second]).state != "rejected"


def test_two_reviewers_who_edit_differently_have_not_decided_alike(reviewed: Cast, now: datetime) -> None:
    pid = proposed(reviewed.ada.by_key(now=now), "quokka", now=now)
    decided("accept", reviewed.ben.by_key(now=now), pid, now=now, content="quokkas")
    with pytest.raises(Clash):
        decided("accept", reviewed.cy.by_key(now=now), pid, now=now)
    assert decided("accept", reviewed.cy.by_key(now=now), pid, now=now, content="quokkas").ok is True


def test_every_decision_is_in_the_audit_log_once_and_without_texts(reviewed: Cast, now: datetime) -> None:
    hal = reviewed.hal.by_key(now=now)
    pid = proposed(reviewed.ada.by_key(now=now), "quokka", now=now)
    for _ in range(2):
        decided("reject", hal, pid, now=now, reason="They bark")
    for _ in range(2):
        decided("accept", hal, pid, now=now)
    with acting_for(hal.organization_id):
        events = list(AuditEvent.objects.filter(object_id=str(pid), verb__startswith="proposal.").order_by("number"))
    assert [(event.verb, event.user_id) for event in events] == [
        ("proposal.reject", hal.user_id),
        ("proposal.accept", hal.user_id),
    ]
    assert not any(text in event.details for event in events for text in ("quokka", "bark"))


@pytest.mark.parametrize("act", ["accept", "merge"])
def test_once_a_record_says_it_the_proposal_keeps_no_text(reviewed: Cast, now: datetime, act: str) -> None:
    ada, cy = reviewed.ada.by_key(now=now), reviewed.cy.by_key(now=now)
    known = remember(reviewed.ada.signed_in(now=now), "known", now=now)
    pid = proposed(ada, "quokka", now=now, fact_key="zoo.quokka")
    decided(act, cy, pid, now=now, **({"into": str(known.id)} if act == "merge" else {}))
    assert proposal_row(ada, pid).inputs == {}
    assert one_proposal(ada, pid).inputs == {}
    record = one_proposal(cy, pid).record
    forget(ada, now=now, memory_id=str(record))
    assert (record is None, one_proposal(cy, pid).record, "quokka" in queue(cy)[0].as_json()) == (
        False,
        None,
        False,
    )


# ---------------------------------------------------------------- pages


def test_fc49_pages_of_the_queue_are_complete_while_it_is_being_cleared(reviewed: Cast, now: datetime) -> None:
    cy = reviewed.cy.by_key(now=now)
    pids = [proposed(reviewed.ada.by_key(now=now), f"quokka {number}", now=now) for number in range(7)]
    shown, cursor = [], None
    while True:
        asked = shapes.ProposalsInputs(state="pending", limit=3, **({"cursor": cursor} if cursor else {}))
        page = listed(cy, asked)
        shown += [proposal.pid for proposal in page.results]
        decided("reject", cy, page.results[-1].pid, now=now, reason="no")
        cursor = page.meta.next_cursor
        if cursor is None:
            break
    assert shown == pids[::-1]
    assert {p.state for p in queue(cy, state="rejected")} == {"rejected"}
    with pytest.raises(Invalid):
        listed(cy, shapes.ProposalsInputs(state="rejected", cursor="bm9uZQ"))
