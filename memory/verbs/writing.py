"""What every verb that stores something does: through the gates, then into the records."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.drafts import Draft, Stop
from memory.gates import examine
from memory.models import Record, WritePolicy
from memory.policies import Policy
from memory.protocol.shapes import WriteInputs
from memory.protocol.shapes.policies import PolicyInputs
from memory.versions import Authorship, keep
from orgs.audit import note
from orgs.caller import Caller

# Every write asks this: put into words by the ORM, the question costs many times its answer.
_POLICY = "SELECT * FROM memory_writepolicy WHERE organization_id = %s AND project_id = %s"


@dataclass(frozen=True, slots=True)
class Stored:
    """A write that passed, and what the gates found out about it."""

    record: Record
    draft: Draft

    @property
    def findings(self) -> dict[str, Any]:
        """Return the optional keys of an answer: the verdict, and the consistency if it was asked for."""
        found = {"verdict": self.draft.verdict, "consistency": self.draft.consistency}
        return {name: value for name, value in found.items() if value is not None}


def put(
    caller: Caller,
    inputs: WriteInputs,
    *,
    verb: str,
    now: datetime,
    redactions: Mapping[str, int],
    replaces: UUID | None = None,
    by: Authorship | None = None,
) -> Stored | Stop:
    """Store a write, or return the answer of the gate that stopped it. Needs the organization's transaction."""
    draft = Draft(
        caller=caller,
        by=by or Authorship.of(caller),
        inputs=inputs,
        policy=policy_of(caller),
        redactions=redactions,
        now=now,
        replaces=replaces,
    )
    ruling = examine(draft)
    if isinstance(ruling, Stop):
        _note_stop(caller, ruling, verb=verb, now=now)
        return ruling
    return Stored(keep(caller, ruling.inputs, now=now, by=ruling.by), ruling)


def _note_stop(caller: Caller, stop: Stop, *, verb: str, now: datetime) -> None:
    pid = getattr(stop.answer, "pid", None)
    moved_to = getattr(stop.answer, "moved_to", None) or getattr(stop.answer, "error", "")
    note(
        caller,
        verb=f"{verb}.stopped",
        object_type="proposal" if pid else "",
        object_id=pid or "",
        now=now,
        details={"form": stop.form, "moved_to": moved_to},
    )


def policy_of(caller: Caller) -> Policy:
    """Return the policy of the project where the caller writes."""
    stored = WritePolicy.objects.raw(_POLICY, [caller.organization_id, caller.writes_in])
    return next(map(policy_from, stored), Policy())


def policy_from(stored: WritePolicy) -> Policy:
    """Return a stored policy as a value."""
    told = {name: getattr(stored, name) for name in PolicyInputs.model_fields}
    policy = PolicyInputs.model_validate(told)
    return Policy(
        mode=policy.mode,
        rules=tuple(policy.rules),
        on_conflict_for_agents=policy.on_conflict_for_agents,
        on_finding=policy.on_finding,
        restore_needs_force=policy.restore_needs_force,
    )
