"""Ways for tests to write an export, bring it in, and see what is there."""

import io
import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from memory.models import Derivation, Doubt, Record, Relation, Succession
from memory.protocol import shapes
from memory.transfer.exporting import export
from memory.transfer.importing import bring_in
from orgs.caller import Caller
from orgs.tenancy import acting_for

Told = dict[str, Any]


def exported(caller: Caller, *, now: datetime, **asked: Any) -> list[Told]:
    """Export as this caller, line by line."""
    inputs = shapes.ExportInputs.model_validate(asked)
    return [json.loads(line) for line in b"".join(export(caller, inputs, now=now)).splitlines()]


def imported(caller: Caller, lines: Iterable[Mapping[str, Any] | bytes], *, now: datetime) -> shapes.ImportReport:
    """Import as this caller."""
    raw = [line if isinstance(line, bytes) else json.dumps(line, ensure_ascii=False).encode() for line in lines]
    return bring_in(caller, io.BytesIO(b"\n".join(raw) + b"\n"), shapes.ImportInputs(), now=now)


def of_type(lines: Iterable[Told], kind: str) -> list[Told]:
    """Keep the lines of a kind."""
    return [line for line in lines if line["type"] == kind]


def stored(caller: Caller) -> dict[str, list[Told]]:
    """Return everything that is stored in the caller's project, as plain data."""
    with acting_for(caller.organization_id):
        mine = Record.objects.filter(organization_id=caller.organization_id, project_id=caller.writes_in)
        ids = list(mine.values_list("id", flat=True))
        rows = {
            "records": mine.exclude(id=None).order_by("created_at", "id").values(),
            "successions": Succession.objects.filter(new_id__in=ids).order_by("old_id", "new_id").values(),
            "derivations": Derivation.objects.filter(summary_id__in=ids).order_by("summary_id", "place").values(),
            "relations": Relation.objects.filter(origin_id__in=ids).order_by("origin_id", "target_id").values(),
            "doubts": Doubt.objects.filter(record_id__in=ids).order_by("record_id", "because_id").values(),
        }
        return {name: [dict(row) for row in found] for name, found in rows.items()}
