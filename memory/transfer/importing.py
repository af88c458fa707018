"""A file comes in, batch by batch, each in one transaction: what is in is whole, and can be gone on from."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from memory.places import managing
from memory.protocol.shapes import EndLine, HeaderLine, ImportInputs, ImportReport, RecordLine, TombstoneLine
from memory.successions import alone
from memory.transfer.arriving import arrive
from memory.transfer.linking import link
from memory.transfer.reading import Broken, Numbered, Stream, lines
from memory.transfer.reporting import Report
from orgs.audit import note
from orgs.caller import Caller
from orgs.errors import Invalid
from orgs.models import Project
from orgs.tenancy import acting_for, together

BATCH = 200
BATCH_BYTES = 8 * 1024 * 1024


def bring_in(caller: Caller, stream: Stream, inputs: ImportInputs, *, now: datetime) -> ImportReport:
    """Bring the records of an export into a project that the caller manages, and tell what became of them.

    Ids, times, versions, links and tombstones are kept; what is here already stays as it is, so that a file may be
    sent again. Raises Unknown or Forbidden; a faulty line ends the import and is named in the report.
    """
    with acting_for(caller.organization_id):
        caller = managing(caller, inputs.project)
        place = Project.objects.filter(organization_id=caller.organization_id, id=caller.writes_in)
        report = Report(project=place.values_list("slug", flat=True).get())
    try:
        for batch in _batches(stream):
            _take_in(caller, batch, report, now=now)
    except Broken as broken:
        return report.told(broken)
    return report.told()


def _batches(stream: Stream) -> Iterator[list[Numbered]]:
    """Yield the lines in batches bounded by number and size; what stands before a faulty one comes first."""
    batch: list[Numbered] = []
    size = 0
    try:
        for one in lines(stream):
            batch.append(one)
            size += one.size
            if len(batch) >= BATCH or size >= BATCH_BYTES:
                yield batch
                batch, size = [], 0
    except Broken:
        yield batch
        raise
    yield batch


def _take_in(caller: Caller, batch: Sequence[Numbered], report: Report, *, now: datetime) -> None:
    """Take a batch in; of one with a faulty line, what stands before that."""
    if not batch:
        return

    def taken_in() -> Report:
        page = report.page()
        alone(caller.project_id)
        _distribute(caller, batch, page, now=now)
        _note(caller, batch, page, now=now)
        return page

    try:
        page = together(caller.organization_id, taken_in)
    except Broken as broken:
        _take_in(caller, [one for one in batch if one.number < broken.number], report, now=now)
        raise
    page.lines = batch[-1].number
    report.take_over(page)


def _distribute(caller: Caller, batch: Sequence[Numbered], page: Report, *, now: datetime) -> None:
    """Take in records and tombstones of the file's own project, and then the links between them."""
    arrivals, links = [], []
    for one in batch:
        if isinstance(one.line, HeaderLine):
            page.source = _source(one)
        elif isinstance(one.line, EndLine):
            page.ended_with = one.line.counts
        elif isinstance(one.line, RecordLine | TombstoneLine):
            page.seen["records" if isinstance(one.line, RecordLine) else "tombstones"] += 1
            own = one.line.project == page.source
            page.tally["records_left_out"] += not own
            arrivals += [one] * own
        else:
            links.append(one)
    arrive(caller, arrivals, page, now=now)
    link(caller, links, page, now=now)


def _source(header: Numbered) -> str:
    project: str | None = header.line.project
    if project is None:
        refusal = Invalid("The file holds several projects. Export one of them with ?project=.", field="project")
        raise Broken(header.number, refusal)
    return project


def _note(caller: Caller, batch: Sequence[Numbered], page: Report, *, now: datetime) -> None:
    created = {name: number for name, number in page.created.items() if number}
    if created:
        details = {"lines": [batch[0].number, batch[-1].number], "created": created}
        project = caller.writes_in
        note(caller, verb="import", object_type="project", object_id=project, now=now, details=details)
