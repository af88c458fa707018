"""Which rows an export holds: live records, tombstones, and the links between them."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from memory.models import Derivation, Doubt, Record, Relation, Succession
from memory.models.record import RecordQuerySet
from orgs.caller import Caller
from orgs.roles import Permission


@dataclass(frozen=True, slots=True)
class Selection:
    """Live records and tombstones; every link has both its ends among them. Needs the organization's transaction."""

    organization_id: UUID
    live: RecordQuerySet
    forgotten: RecordQuerySet

    @property
    def links(self) -> dict[str, QuerySet[Any]]:
        """Return the links by the name of their counts. Only a summary's source may be a tombstone."""
        return {
            "successions": self._between(Succession, "old", "new"),
            "derivations": self._between(Derivation, "summary").filter(self._source_is_known()),
            "relations": self._between(Relation, "origin", "target"),
            "doubts": self._between(Doubt, "record", "because"),
        }

    def _between(self, model: Any, *ends: str) -> QuerySet[Any]:
        rows: QuerySet[Any] = model.objects.filter(organization_id=self.organization_id)
        return rows.filter(*(Exists(self.live.filter(id=OuterRef(f"{end}_id"))) for end in ends))

    def _source_is_known(self) -> Q:
        source = OuterRef("source_id")
        return Q(Exists(self.live.filter(id=source))) | Q(Exists(self.forgotten.filter(id=source)))


def seen_by(caller: Caller, *, project_id: UUID | None = None) -> Selection:
    """Select what the caller sees, and the tombstones of what the caller may bring back; in one project if named."""
    may_restore = [id for id, held in caller.projects.items() if Permission.FORGET in held]
    forgotten = Record.objects.known_to(caller).filter(forgotten_at__isnull=False, project_id__in=may_restore)
    live = Record.objects.visible_to(caller)
    if project_id:
        live, forgotten = live.filter(project_id=project_id), forgotten.filter(project_id=project_id)
    return Selection(caller.organization_id, live, forgotten)


def whole_project(organization_id: UUID, project_id: UUID) -> Selection:
    """Select everything in a project, drafts too: for operators, who have the database anyway, and for no reader."""
    rows = Record.objects.in_organization(organization_id).filter(project_id=project_id)
    return Selection(organization_id, rows.filter(forgotten_at=None), rows.filter(forgotten_at__isnull=False))
