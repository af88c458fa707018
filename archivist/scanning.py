"""The deep pass: applies the present redaction rules to everything that a record keeps."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast

from archivist.fact_keys import name_for
from memory import curation, metrics, outbox, replays
from memory.models import Embedding, Record
from memory.models.outbox import ErrandKind
from memory.outbox import Work
from memory.redaction import RULES_VERSION, redact_tree
from memory.search.tokens import count_below
from memory.sources import digest_of
from memory.versions import content_digest, search_document
from orgs.audit import note_in
from orgs.tenancy import acting_for

TEXTS = (
    *("content", "source", "source_id", "source_hash", "source_revision", "tags", "metadata", "scope", "content_kind"),
    *("layer", "verification_basis", "condition_space", "non_applicable_conditions", "relation", "session"),
    *("forgotten_reason", "fact_key"),
)
"""Every field that holds words of a writer's."""


@dataclass(frozen=True, slots=True)
class Cleaned:
    """What the rules change in a record: fields with their new values, and what kinds of secrets went, how often."""

    changes: dict[str, Any]
    kinds: Counter[str] = field(default_factory=Counter)


def scan(work: Work, *, now: datetime) -> bool:
    """Apply the rules to one record, forgotten or not, and say whether that was done with.

    A finding is taken out of the record, its words, its vector, its names and the answers kept for replay.
    """
    with acting_for(work.organization_id):
        record = Record.objects.in_organization(work.organization_id).filter(id=work.record_id).first()
    cleaned = clean(record) if record else None
    with acting_for(work.organization_id):
        if not outbox.settle(work):
            return False
        if record is None or cleaned is None:
            return True
        return _write(record, cleaned, now=now)


def clean(record: Record) -> Cleaned:
    """Return what the present rules change in a record."""
    before: dict[str, Any] = {name: getattr(record, name) for name in TEXTS}
    redacted, kinds = redact_tree(before)
    after = cast("dict[str, Any]", redacted)
    return Cleaned({name: after[name] for name in TEXTS if after[name] != before[name]}, Counter(kinds))


def _write(read: Record, cleaned: Cleaned, *, now: datetime) -> bool:
    """Write it on the row as it is now; if somebody edited it meanwhile, promise another look instead."""
    mine = Record.objects.in_organization(read.organization_id).filter(id=read.id)
    record = mine.select_for_update(of=("self",), no_key=True).get()
    if any(getattr(record, name) != getattr(read, name) for name in TEXTS):
        outbox.announce(record, now=now, kinds=[ErrandKind.SCAN])
        return True
    if not cleaned.changes:
        mine.update(scanned_with=RULES_VERSION)
        return True
    changes = {name: value for name, value in cleaned.changes.items() if not _is_archivists(record, name)}
    for name, value in changes.items():
        setattr(record, name, value)
    record.scanned_with, record.updated_at = RULES_VERSION, now
    record.content_digest, record.tokens = content_digest(record.content), count_below(record.content)
    record.source_digest = digest_of(record.source_hash)
    record.words = search_document(record, fact_key=record.fact_key)
    derived = ["content_digest", "tokens", "source_digest", "words", "scanned_with", "updated_at"]
    record.save(update_fields=[*changes, *derived])
    if record.fact_key_by_archivist:
        # It was made of the record's words, or lent to others that were.
        curation.rename_fact(record, name_for(record.content, id=record.id), now=now)
    _forget_traces(record, cleaned, now=now)
    return True


def _is_archivists(record: Record, name: str) -> bool:
    return name == "fact_key" and record.fact_key_by_archivist


def _forget_traces(record: Record, cleaned: Cleaned, *, now: datetime) -> None:
    Embedding.objects.filter(organization_id=record.organization_id, record=record).delete()
    replays.withdraw(record.organization_id, [record.id])
    outbox.announce(record, now=now, kinds=[ErrandKind.EMBED, ErrandKind.REVIEW])
    metrics.count_redactions(cleaned.kinds)
    note_in(
        record.organization_id,
        verb="record.scanned",
        object_type="record",
        object_id=record.id,
        now=now,
        details={"redactions": dict(cleaned.kinds), "rules": RULES_VERSION},
    )
