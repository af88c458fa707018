"""Where records are born: from redacted inputs to a row, its sources and its promised work, in one transaction."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.conf import settings

from memory.doors import named_records
from memory.models import Derivation, Record
from memory.outbox import announce
from memory.protocol.shapes import RecordLine, RememberInputs
from memory.search.tokens import count_below
from memory.search.words import document
from memory.sources import digest_of
from orgs.access import workspace_for_write
from orgs.caller import Caller
from orgs.errors import Forbidden, Invalid, TooLarge
from orgs.names import LONGEST, canonical
from orgs.roles import Permission, Visibility

ARCHIVISTS_PREFIX = "archivist:"
_STORED_AS_GIVEN = (
    *("scope", "source", "source_id", "source_hash", "source_revision", "confidence", "tags", "content_kind", "layer"),
    *("importance", "verification_basis", "condition_space", "non_applicable_conditions", "relation", "valid_from"),
    *("valid_until", "session", "metadata"),
)


@dataclass(frozen=True, slots=True)
class Authorship:
    """Whose record it is: not always the caller's, for a reviewer lets in what somebody else wrote.

    `visibility`: as its author was allowed to give it. `vouched`: records that its author saw when naming them; they
    count as there, though the caller may not see them.
    """

    author_id: UUID | None
    department_id: UUID | None
    key_id: UUID | None
    visibility: Visibility | None = None
    vouched: frozenset[UUID] = frozenset()

    @classmethod
    def of(cls, caller: Caller) -> Authorship:
        """Return the authorship of what the caller writes itself."""
        return cls(caller.user_id, caller.home_department_id, caller.key_id)


def keep(
    caller: Caller,
    draft: RememberInputs,
    *,
    now: datetime,
    by: Authorship | None = None,
    needs: Permission = Permission.WRITE,
) -> Record:
    """Store a new record for the caller and promise its background work; nothing existing is changed.

    Permission is checked here, whatever the gates said. Runs inside the tenant's transaction, on inputs that
    redaction has passed. Raises Unknown, Forbidden, Invalid or Unprocessable, and then nothing is stored.
    """
    caller.require(needs, project_id=caller.writes_in)
    by = by or Authorship.of(caller)
    sources = named_records(caller, draft.derived_from, field="derived_from", vouched=by.vouched)
    fact_key = fact_key_for(draft.fact_key)
    record = Record.objects.create(
        organization_id=caller.organization_id,
        project_id=caller.writes_in,
        workspace=workspace_for_write(caller, draft.workspace),
        author_id=by.author_id,
        department_id=by.department_id,
        key_id=by.key_id,
        visibility=by.visibility or visibility_for(caller, draft.visibility, department_id=by.department_id),
        content=draft.content,
        content_digest=content_digest(draft.content),
        tokens=count_below(draft.content),
        source_digest=digest_of(draft.source_hash),
        fact_key=fact_key,
        depends_on=named_records(caller, draft.depends_on, field="depends_on", vouched=by.vouched),
        observed_at=draft.observed_at or now,
        created_at=now,
        updated_at=now,
        words=search_document(draft, fact_key=fact_key),
        **{name: getattr(draft, name) for name in _STORED_AS_GIVEN},
    )
    _derive(record, sources)
    announce(record, now=now)
    return record


def search_document(record: Record | RememberInputs | RecordLine, *, fact_key: str | None) -> str:
    """Return the text of the tsvector under which a record is found by its words.

    A day counts only if the writer said it: the day of writing is nothing that one asks for.
    """
    said_at = record.observed_at if record.observed_at != getattr(record, "created_at", None) else None
    return document(
        record.content,
        fact_key=fact_key,
        source_id=record.source_id,
        tags=record.tags,
        source=record.source,
        session=record.session,
        observed_at=said_at,
    )


def content_digest(content: str) -> str:
    """Return the hash by which contents are compared: composed letters, no white space around."""
    return hashlib.sha256(unicodedata.normalize("NFC", content.strip()).encode()).hexdigest()


def require_size(content: str) -> None:
    """Let a text pass that this server takes, or raise TooLarge saying how long one may be."""
    most = settings.MAX_CONTENT_CHARACTERS
    if len(content) > most:
        raise TooLarge(f"content may have {most} characters.", field="content", data={"limit_characters": most})


def _derive(record: Record, sources: list[UUID]) -> None:
    Derivation.objects.bulk_create(
        Derivation(organization_id=record.organization_id, summary=record, source_id=source, place=place)
        for place, source in enumerate(sources)
    )


def visibility_for(caller: Caller, asked: Visibility | None, *, department_id: UUID | None) -> Visibility:
    """Return the visibility of a new record of that department, or refuse one that the caller may not give."""
    visibility = asked or min(caller.default_visibility, caller.greatest_visibility)
    if visibility > caller.greatest_visibility:
        raise Forbidden(f"Records may be made visible to “{caller.greatest_visibility}” at most.", field="visibility")
    if visibility is Visibility.DEPARTMENT and department_id is None:
        raise Invalid("The author belongs to no department; choose another visibility.", field="visibility")
    return visibility


def rename(record: Record, fact_key: str, *, now: datetime) -> None:
    """Make a locked record a version of another fact, by somebody's word and not the archivist's."""
    record.fact_key, record.fact_key_by_archivist, record.updated_at = fact_key, False, now
    record.words = search_document(record, fact_key=fact_key)
    record.save(update_fields=["fact_key", "fact_key_by_archivist", "updated_at", "words"])


def fact_key_for(given: str | None) -> str | None:
    """Return the one spelling of a fact key, or refuse one that can't be."""
    if given is None:
        return None
    key = canonical(given)
    if not key or len(key) > LONGEST:
        raise Invalid(f"fact_key must have 1 to {LONGEST} characters after Unicode normalization.", field="fact_key")
    if key.startswith(ARCHIVISTS_PREFIX):
        raise Invalid(f"Keys that begin with {ARCHIVISTS_PREFIX} are the archivist's own.", field="fact_key")
    return key
