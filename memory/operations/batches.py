"""Many facts in one call: each goes through the gates and is answered on its own, and none loses another."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from memory import replays
from memory.effects import Effect
from memory.metrics import count_redactions
from memory.operations.acting import DONE, Operation
from memory.protocol.parsing import parse
from memory.protocol.shapes import BatchAnswer, BatchInputs, BatchItem, Problem, RememberInputs
from memory.redaction import redact_tree
from memory.verbs import remember
from orgs.caller import Caller
from orgs.errors import Refusal
from orgs.roles import Permission
from orgs.tenancy import acting_for

REMEMBER_BATCH = Operation(name="remember_batch", needs=Permission.WRITE, inputs=BatchInputs, answer=BatchAnswer)
COMMITTED, REFUSED = "committed", "refused"


@dataclass(frozen=True, slots=True)
class _Item:
    """What was sent of one fact, without its secrets, and how many of each kind there were."""

    parameters: Mapping[str, Any]
    redactions: dict[str, int]


def remember_all(caller: Caller, payload: Any, *, now: datetime, idempotency_key: str | None = None) -> Effect:
    """Remember up to a hundred facts in one transaction; one that is refused is undone by itself and says why."""
    caller.require(REMEMBER_BATCH.needs)
    items = [_without_secrets(item) for item in parse(BatchInputs, payload).items]
    key = None if idempotency_key is None else replays.checked_key(idempotency_key)
    with acting_for(caller.organization_id):
        if key is None:
            return Effect(DONE, _answer(caller, items, now=now))
        (_, told), replayed = replays.once(
            *(caller, key),
            verb=REMEMBER_BATCH.name,
            payload=[item.parameters for item in items],
            now=now,
            act=lambda: (DONE, json.loads(_answer(caller, items, now=now).as_json())),
        )
    return Effect(DONE, BatchAnswer.model_validate(told), replayed)


def _without_secrets(item: Mapping[str, Any]) -> _Item:
    """Redact each parameter by itself, as a single call would."""
    parameters, redactions = {}, Counter[str]()
    for name, value in item.items():
        parameters[name], found = redact_tree(value)
        redactions.update(found)
    count_redactions(redactions)
    return _Item(parameters, dict(redactions))


def _answer(caller: Caller, items: Sequence[_Item], *, now: datetime) -> BatchAnswer:
    results = [_remembered(caller, item, index=index, now=now) for index, item in enumerate(items)]
    forms = Counter(one.form if one.form in {COMMITTED, REFUSED} else "stopped" for one in results)
    return BatchAnswer(committed=forms[COMMITTED], stopped=forms["stopped"], refused=forms[REFUSED], results=results)


def _remembered(caller: Caller, item: _Item, *, index: int, now: datetime) -> BatchItem:
    try:
        inputs = parse(RememberInputs, item.parameters)
        with transaction.atomic():
            form, answer = remember.execute(caller, inputs, now=now, redactions=item.redactions)
    except Refusal as refusal:
        return BatchItem(index=index, form=REFUSED, problem=_problem(refusal))
    return BatchItem(index=index, form=form, answer=json.loads(answer.as_json()) if answer else None)


def _problem(refusal: Refusal) -> Problem:
    told = {"detail": refusal.detail, "field": refusal.field, "hint": refusal.hint, **refusal.data}
    said = {name: value for name, value in told.items() if value is not None}
    return Problem(title=refusal.title, status=refusal.status, code=refusal.code, **said)
