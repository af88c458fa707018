"""From a selection to lines, streamed: each batch of rows is read in a transaction of its own, whoever reads slowly."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import accumulate
from typing import Any
from uuid import UUID

from django.db.models import Func, IntegerField, QuerySet

from memory.models import Record
from memory.places import placed
from memory.protocol.shapes import Counts, EndLine, ExportInputs, HeaderLine, Inputs
from memory.sight import require_sight
from memory.transfer.markdown import node
from memory.transfer.rows import LINK_LINES, record_line, tombstone_line
from memory.transfer.selection import Selection, seen_by
from orgs.access import project_named
from orgs.audit import note
from orgs.caller import Caller
from orgs.errors import Unknown
from orgs.models import Project
from orgs.tenancy import acting_for

BATCH = 100
BATCH_BYTES = 2 * 1024 * 1024  # of contents held at a time; a longer one is held alone
LEFT_OUT = (
    "Records that the exporter may not see, and links to them.",
    "The text of forgotten records, and links to them other than what a summary was built from.",
    "All trace of forgotten records that the exporter may not bring back.",
    "Search documents and embeddings: they are made anew on import.",
    "Proposals, policies, capabilities, API keys, the archivist's decisions and the audit log.",
)


@dataclass(frozen=True, slots=True)
class Export:
    """A selection to be written, and what is said of it."""

    select: Callable[[], Selection]
    organization_id: UUID
    project: str | None
    by: UUID | None
    now: datetime


def export(caller: Caller, inputs: ExportInputs, *, now: datetime) -> Iterator[bytes]:
    """Return the lines, or the Markdown nodes, of what the caller sees; permission is checked before the first one.

    Raises Forbidden, or Unknown for a project that the caller has no part in.
    """
    require_sight(caller)
    with acting_for(caller.organization_id):
        named = project_named(caller, inputs.project) if inputs.project else None
        wanted = Export(
            select=lambda: seen_by(caller, project_id=named.id if named else None),
            organization_id=caller.organization_id,
            project=named.slug if named else _own_project(caller),
            by=caller.user_id,
            now=now,
        )
        note(caller, verb="export", object_type="project", object_id=wanted.project or "", now=now)
    return written(wanted, format=inputs.format)


def written(wanted: Export, *, format: str = "jsonl") -> Iterator[bytes]:
    """Yield the export as UTF-8."""
    if format == "markdown":
        return (node(line).encode() for line in _lines(wanted))
    return (line.model_dump_json().encode() + b"\n" for line in _lines(wanted))


def _own_project(caller: Caller) -> str | None:
    """Return the short name of the one project that the caller is in, if it is one."""
    try:
        place = placed(caller, None).writes_in
    except Unknown:
        return None
    here = Project.objects.filter(organization_id=caller.organization_id, id=place)
    return here.values_list("slug", flat=True).first()


def _lines(wanted: Export) -> Iterator[Inputs]:
    yield _header(wanted)
    counts: Counter[str] = Counter()
    for name, line in _body(wanted):
        counts[name] += 1
        yield line
    yield EndLine(counts=Counts(**counts))


def _header(wanted: Export) -> HeaderLine:
    with acting_for(wanted.organization_id):
        chosen = wanted.select()
        numbers = {name: rows.count() for name, rows in chosen.links.items()}
        counts = Counts(records=chosen.live.count(), tombstones=chosen.forgotten.count(), **numbers)
    return HeaderLine(
        exported_at=wanted.now,
        organization=wanted.organization_id,
        project=wanted.project,
        by=wanted.by,
        counts=counts,
        left_out=list(LEFT_OUT),
    )


def _body(wanted: Export) -> Iterator[tuple[str, Inputs]]:
    for records in _batches(wanted, lambda chosen: _whole(chosen.live), by="created_at"):
        seen = _seen_dependencies(wanted, records)
        for record in records:
            yield "records", record_line(record, depends_on=[id for id in record.depends_on if id in seen])
    for records in _batches(wanted, lambda chosen: _whole(chosen.forgotten), by="created_at"):
        for record in records:
            yield "tombstones", tombstone_line(record)
    for name, line_of in LINK_LINES.items():
        for rows in _batches(wanted, partial(_links, name=name), by="id"):
            for row in rows:
                yield name, line_of(row)


def _links(chosen: Selection, *, name: str) -> QuerySet[Any]:
    return chosen.links[name]


def _whole(rows: QuerySet[Record]) -> QuerySet[Record]:
    return rows.defer("words").select_related("workspace", "project")


def _seen_dependencies(wanted: Export, records: list[Record]) -> set[UUID]:
    ids = {id for record in records for id in record.depends_on}
    if not ids:
        return set()
    with acting_for(wanted.organization_id):
        return set(wanted.select().live.filter(id__in=ids).values_list("id", flat=True))


def _batches(wanted: Export, of: Callable[[Selection], QuerySet[Any]], *, by: str) -> Iterator[list[Any]]:
    """Yield the rows in order of `by` and id, oldest first, in batches."""
    last, more = None, True
    while more:
        with acting_for(wanted.organization_id):
            rows = of(wanted.select())
            if last is not None:
                behind = {f"{by}__gte": getattr(last, by)}
                rows = rows.filter(**behind).exclude(**{by: getattr(last, by), "id__lte": last.id})
            batch, more = _first(rows.order_by(by, "id"))
        if batch:
            yield batch
            last = batch[-1]


def _first(rows: QuerySet[Any]) -> tuple[list[Any], bool]:
    """Return the first rows, of records no more than may be held at a time; and whether there can be more behind."""
    if rows.model is not Record:
        batch = list(rows[:BATCH])
        return batch, len(batch) == BATCH
    size = Func("content", function="octet_length", output_field=IntegerField())
    sizes = list(rows.annotate(size=size).values_list("id", "size")[:BATCH])
    held = accumulate(size for _, size in sizes)
    ids = [id for (id, size), sum in zip(sizes, held, strict=True) if sum <= BATCH_BYTES or sum == sizes[0][1]]
    return list(rows.filter(id__in=ids)), len(sizes) == BATCH or len(ids) < len(sizes)
