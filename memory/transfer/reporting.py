"""What became of a file so far. A batch counts on a page of its own, which is taken over when the batch is kept."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from uuid import UUID

from memory.protocol.shapes import Counts, Difference, ImportReport, NewId, StoppedAt
from memory.transfer.reading import Broken

MOST_LISTED = 1_000


@dataclass(slots=True)
class Report:
    """Counts, short lists, and where each record of the file is here (None: it is not taken from the file)."""

    project: str
    source: str | None = None
    lines: int = 0
    ended_with: Counts | None = None
    seen: Counter[str] = field(default_factory=Counter)
    created: Counter[str] = field(default_factory=Counter)
    tally: Counter[str] = field(default_factory=Counter)
    redactions: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)
    new_ids: list[NewId] = field(default_factory=list)
    authors: set[UUID] = field(default_factory=set)
    targets: dict[UUID, UUID | None] = field(default_factory=dict)
    before: Report | None = None

    def page(self) -> Report:
        """Return an empty report that goes on from this one."""
        return Report(self.project, self.source, before=self)

    def knows(self, id: UUID) -> bool:
        """Say whether a record of this id stood in the file already."""
        return id in self.targets or (self.before is not None and self.before.knows(id))

    def target(self, id: UUID) -> UUID | None:
        """Return the id here of a record of the file, or None for one that is not taken from it."""
        if id in self.targets:
            return self.targets[id]
        return self.before.target(id) if self.before else None

    def take_over(self, page: Report) -> None:
        """Add what became of one more batch."""
        self.source, self.lines, self.ended_with = page.source, page.lines, page.ended_with
        for counts, more in (
            (self.seen, page.seen),
            (self.created, page.created),
            (self.tally, page.tally),
            (self.redactions, page.redactions),
        ):
            counts.update(more)
        self.differences += page.differences[: MOST_LISTED - len(self.differences)]
        self.new_ids += page.new_ids[: MOST_LISTED - len(self.new_ids)]
        self.authors |= page.authors
        self.targets |= page.targets

    def told(self, broken: Broken | None = None) -> ImportReport:
        """Return the report for whoever sent the file."""
        stopped = broken and StoppedAt(line=broken.number, field=broken.refusal.field, detail=broken.refusal.detail)
        return ImportReport(
            ok=broken is None,
            complete=self.ended_with == Counts(**self.seen),
            project=self.project,
            lines=self.lines,
            created=Counts(**self.created),
            unchanged=self.tally["unchanged"],
            differing=self.tally["differing"],
            differences=self.differences,
            renamed=self.tally["renamed"],
            new_ids=self.new_ids,
            narrowed=self.tally["narrowed"],
            authors_replaced=sorted(self.authors)[:MOST_LISTED],
            links_left_out=self.tally["links_left_out"],
            records_left_out=self.tally["records_left_out"],
            redactions=dict(self.redactions),
            stopped_at=stopped,
        )
