"""settle: a conflict is decided; the versions that are not right are superseded, renamed or forgotten, all at once."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.doors import changeable_by
from memory.effects import Effect
from memory.models import Record
from memory.operations.acting import Operation, act_once
from memory.places import placed
from memory.protocol.shapes import Settled, SettleInputs
from memory.queries.conflicts import in_conflict
from memory.successions import alone, leads_back, succeed
from memory.verbs.forget import bury
from memory.versions import fact_key_for, rename
from orgs.audit import note
from orgs.caller import Caller
from orgs.errors import Clash, Invalid, Unknown
from orgs.names import canonical
from orgs.roles import Permission

SETTLE = Operation(name="settle", needs=Permission.REVIEW, inputs=SettleInputs, answer=Settled)


def settle(caller: Caller, payload: Any, *, now: datetime, idempotency_key: str | None = None) -> Effect:
    """Decide one fact's conflict in the project where the caller writes, or in the one that is named.

    What the caller does not see stays as it is. Raises Unknown for a fact that is in no conflict for the caller, or
    for a version that is none of it; Clash where a version would supersede itself in the end.
    """
    return act_once(SETTLE, caller, payload, act=_act, permit=_there, now=now, idempotency_key=idempotency_key)


def _there(caller: Caller, inputs: SettleInputs) -> Caller:
    """Return the caller in the project that is meant, or refuse who may not settle there."""
    caller = placed(caller, inputs.project)
    caller.require(SETTLE.needs)
    return caller


def _act(caller: Caller, inputs: SettleInputs, *, now: datetime) -> Settled:
    caller = _there(caller, inputs)
    alone(caller.project_id)
    fact = _Fact(caller, inputs)
    current = fact.current(now=now)
    told = _decided(fact, current, inputs, now=now)
    changed = {name: sorted(map(str, told[name])) for name in told if told[name] and name != "kept"}
    note(caller, verb="settle", object_type="conflict", object_id=current[0].id, now=now, details=changed)
    answer = {"kept": None, "superseded": [], "renamed": {}, "forgotten": []} | told
    return Settled(ok=True, workspace=canonical(inputs.workspace), fact_key=current[0].fact_key or "", **answer)


class _Fact:
    """One fact of the caller's project, with its versions locked."""

    def __init__(self, caller: Caller, inputs: SettleInputs) -> None:
        self.caller = caller
        rows = changeable_by(caller, Permission.REVIEW).in_workspace(canonical(inputs.workspace))
        place = {"project_id": caller.writes_in, "fact_key": canonical(inputs.fact_key)}
        versions = rows.filter(**place, forgotten_at=None)
        self.versions = list(versions.select_related("workspace"))

    def current(self, *, now: datetime) -> Sequence[Record]:
        """Return the versions that are in conflict, oldest id first, or raise Unknown."""
        known = in_conflict(self.versions[:1], self.caller, now=now)
        ids = {record.id for some in known.values() for record in some}
        current = [version for version in self.versions if version.id in ids]
        if not current:
            raise Unknown("There is no such conflict here.", field="fact_key")
        return current


def _decided(fact: _Fact, current: Sequence[Record], inputs: SettleInputs, *, now: datetime) -> dict[str, Any]:
    if inputs.keep:
        return _keep(fact.caller, _one(current, inputs.keep, field="keep"), current, now=now)
    if inputs.both:
        return _part(current, inputs.both, now=now)
    fact.caller.require(Permission.FORGET)
    if any(version.protected_at for version in fact.versions):
        raise Clash("A version is protected; forget it by its id, with override.", data={"error": "protected"})
    for version in fact.versions:  # superseded ones too: they would come back with nothing in their place
        bury(version, fact.caller, reason=inputs.reason, now=now)
    return {"forgotten": [version.id for version in fact.versions]}


def _keep(caller: Caller, right: Record, current: Sequence[Record], *, now: datetime) -> dict[str, Any]:
    others = [version for version in current if version.id != right.id]
    if any(leads_back(caller, other.id, right.id) for other in others):
        raise Clash("The record would supersede itself in the end.", data={"error": "cycle"})
    for other in others:
        succeed(caller, other, right, now=now)
    return {"kept": right.id, "superseded": [other.id for other in others]}


def _part(current: Sequence[Record], keys: Mapping[UUID, str], *, now: datetime) -> dict[str, Any]:
    renamed = {id: fact_key_for(key) or "" for id, key in keys.items()}
    versions = {id: _one(current, id, field="both") for id in renamed}
    if all(versions[id].fact_key == key for id, key in renamed.items()):
        raise Invalid("The new fact keys are the old one.", field="both")
    for id, version in versions.items():
        rename(version, renamed[id], now=now)
    return {"renamed": renamed}


def _one(current: Sequence[Record], id: UUID, *, field: str) -> Record:
    found = next((version for version in current if version.id == id), None)
    if found is None:
        raise Unknown("There is no such version of this fact here.", field=field)
    return found
