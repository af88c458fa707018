"""Undoes what the archivist decided, at a person's word; what is undone is not decided again."""

from datetime import datetime

from archivist.models import Decision, What
from memory import curation
from memory.protocol.vocabulary import RelationKind
from orgs.audit import note
from orgs.caller import Caller
from orgs.errors import Unknown
from orgs.roles import Permission


def undo(caller: Caller, decision: Decision, *, now: datetime) -> bool:
    """Undo one decision, and say whether there was anything left to undo.

    The caller sees both ends, as whoever shows the decision made sure, and needs the right to review in the record's
    project. Needs the organization's transaction. Raises Forbidden, and Unknown for a record forgotten meanwhile.
    """
    caller.require(Permission.REVIEW, project_id=decision.record.project_id)
    mine = Decision.objects.filter(organization_id=caller.organization_id, id=decision.id, undone_at=None)
    if not mine.update(undone_at=now, undone_by_id=caller.user_id):
        return False
    ends = curation.live(caller.organization_id, filter(None, [decision.record_id, decision.about_id]))
    new, old = ends.get(decision.record_id), ends.get(decision.about_id) if decision.about_id else None
    if new is None or (old is None and decision.what != What.FACT_KEY):
        raise Unknown("There is no such record here.")
    if decision.what == What.FACT_KEY:
        curation.unname_fact(new, now=now)
    elif old is not None and decision.what in {What.REFINES, What.REFUTES}:
        curation.trust_again(old, because=new, now=now)
    elif old is not None:
        curation.unrelate(new, old, kind=RelationKind(decision.what), now=now)
    details = {"decision": decision.id, "what": decision.what}
    note(caller, verb="archivist.undone", object_type="record", object_id=new.id, now=now, details=details)
    return True
