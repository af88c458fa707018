"""Many facts in one call: each goes through the gates and is answered on its own, and none loses another."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from memory.effects import Clean, Effect, once, redacted
from memory.operations.acting import DONE, Operation
from memory.protocol.parsing import parse
from memory.protocol.shapes import BatchAnswer, BatchInputs, BatchItem, Problem, RememberInputs
from memory.verbs import remember
from orgs.caller import Caller
from orgs.errors import Refusal
from orgs.roles import Permission
from orgs.tenancy import acting_for

REMEMBER_BATCH = Operation(name="remember_batch", needs=Permission.WRITE, inputs=BatchInputs, answer=BatchAnswer)
COMMITTED, REFUSED = "committed", "refused"

Read = Clean[RememberInputs] | Refusal


def remember_all(caller: Caller, payload: Any, *, now: datetime, idempotency_key: str | None = None) -> Effect:
    """Remember up to a hundred facts in one transaction; one that is refused is undone by itself and says why."""
    caller.require(REMEMBER_BATCH.needs)
    items = parse(BatchInputs, payload).items
    facts = [_read(item) for item in items]
    pairs = zip(facts, items, strict=True)
    sent = [fact.parameters if isinstance(fact, Clean) else _hash(item) for fact, item in pairs]
    return once(
        *(caller, REMEMBER_BATCH.terms, sent),
        act=lambda: (DONE, _answer(caller, facts, now=now)),
        now=now,
        idempotency_key=idempotency_key,
    )


def _hash(item: Mapping[str, Any]) -> str:
    """Tell a refused item from another by a hash: nothing is kept of it, so nothing has to be taken out."""
    return hashlib.sha256(json.dumps(item, sort_keys=True).encode()).hexdigest()


def _read(item: Mapping[str, Any]) -> Read:
    try:
        return redacted(RememberInputs, parse(RememberInputs, item), item)
    except Refusal as refusal:
        return refusal


def _answer(caller: Caller, facts: Sequence[Read], *, now: datetime) -> BatchAnswer:
    results = [_remembered(caller, fact, index=index, now=now) for index, fact in enumerate(facts)]
    forms = Counter(one.form if one.form in {COMMITTED, REFUSED} else "stopped" for one in results)
    return BatchAnswer(committed=forms[COMMITTED], stopped=forms["stopped"], refused=forms[REFUSED], results=results)


def _remembered(caller: Caller, fact: Read, *, index: int, now: datetime) -> BatchItem:
    if isinstance(fact, Refusal):
        return _refused(index, fact)
    try:
        with acting_for(caller.organization_id):
            form, answer = remember.execute(caller, fact.inputs, now=now, redactions=dict(fact.redactions))
    except Refusal as refusal:
        return _refused(index, refusal)
    return BatchItem(index=index, form=form, answer=json.loads(answer.as_json()) if answer else None)


def _refused(index: int, refusal: Refusal) -> BatchItem:
    told = {"detail": refusal.detail, "field": refusal.field, "hint": refusal.hint, **refusal.data}
    said = {name: value for name, value in told.items() if value is not None}
    problem = Problem(title=refusal.title, status=refusal.status, code=refusal.code, **said)
    return BatchItem(index=index, form=REFUSED, problem=problem)
