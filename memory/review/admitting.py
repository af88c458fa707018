"""How what was proposed becomes a record after all: made anew by today's rules, for its author."""

from collections import Counter
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.drafts import Draft, Stop
from memory.effects import Redactions, redacted
from memory.gates import Gate, contract, examine, limits, rejecting, secrets
from memory.models import Proposal, Record
from memory.protocol import shapes
from memory.protocol.parsing import parse
from memory.review.waiting import NAMING
from memory.verbs.writing import policy_of
from memory.versions import Authorship, content_digest, keep
from orgs.caller import Caller
from orgs.errors import Unprocessable
from orgs.roles import Permission, Visibility

AGAIN: tuple[Gate, ...] = (secrets, contract, rejecting, limits)
"""The gates that an accepted proposal passes: all but those whose judgement the reviewer's replaces."""
_EDITABLE = ("content", "fact_key", *NAMING)


def draft_of(
    caller: Caller, proposal: Proposal, edits: shapes.AcceptInputs, redactions: Redactions, *, now: datetime
) -> Draft:
    """Make the write anew, by today's rules of redaction, for its author and as visible as it was proposed."""
    proposed, vouched = _without_erased(caller, proposal.inputs)
    edited = {name: value for name in _EDITABLE if (value := getattr(edits, name)) is not None}
    written = shapes.AcceptInputs(**edited).model_dump(mode="json", exclude_unset=True)
    write = {**proposed, **written}
    clean = redacted(shapes.WriteInputs, parse(shapes.WriteInputs, write), write)
    return Draft(
        caller=caller,
        by=Authorship(
            proposal.author_id, proposal.department_id, proposal.key_id, Visibility(proposal.visibility), vouched
        ),
        inputs=clean.inputs,
        policy=policy_of(caller),
        redactions=Counter(redactions) + Counter(clean.redactions),
        now=now,
        replaces=proposal.supersedes_id,
    )


def _without_erased(caller: Caller, inputs: dict[str, Any]) -> tuple[dict[str, Any], frozenset[UUID]]:
    """Return what was proposed without records that are erased since, and which of the others the caller can't see.

    Those count as named rightly: the gates looked at them through their author's eyes.
    """
    named = {UUID(id) for field in NAMING for id in inputs.get(field, ())}
    there = set(Record.objects.in_organization(caller.organization_id).with_ids(named).values_list("id", flat=True))
    known = set(Record.objects.known_to(caller).with_ids(named).values_list("id", flat=True))
    kept = {field: [id for id in inputs[field] if UUID(id) in there] for field in NAMING if field in inputs}
    return {**inputs, **kept}, frozenset(there - known)


def stored_alike(proposal: Proposal, edits: shapes.AcceptInputs) -> bool:
    """Say whether accepting it so would have stored what another reviewer's acceptance did."""
    wanted = content_digest(edits.content) if edits.content else proposal.content_digest
    return proposal.record is not None and proposal.record.content_digest == wanted


def admitted(draft: Draft) -> Record:
    """Store what a reviewer lets in, or raise Unprocessable saying what is wrong with it."""
    ruling = examine(draft, gates=AGAIN)
    if isinstance(ruling, Stop):
        raise _refusal(ruling)
    return keep(draft.caller, ruling.inputs, now=draft.now, by=ruling.by, needs=Permission.REVIEW)


def _refusal(stop: Stop) -> Unprocessable:
    answer = stop.answer
    told = answer.model_dump(mode="json", exclude_unset=True)
    return Unprocessable(
        "As it stands it can't become a record.",
        hint="Accept it with other content, derived_from or depends_on.",
        data={name: told[name] for name in ("gate", "error", "missing", "verdict") if name in told},
    )
