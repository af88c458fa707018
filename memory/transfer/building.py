"""From a line to the row that it becomes here."""

from typing import Any
from uuid import UUID

from memory.models import Record
from memory.protocol.shapes import RecordLine
from memory.search.tokens import count_below
from memory.sources import digest_of
from memory.transfer.people import Known, Owner
from memory.transfer.reading import Broken, Numbered
from memory.transfer.rows import AS_STORED
from memory.versions import content_digest, search_document
from orgs.access import workspace_for_write
from orgs.caller import Caller
from orgs.errors import Refusal


def row_of(one: Numbered, id: UUID, caller: Caller, owner: Owner, known: Known) -> Record:
    """Return the row of a record's or tombstone's line, not stored yet; its workspace is made if need be.

    Raises Broken for a workspace that can't be. Needs the organization's transaction.
    """
    try:
        workspace = workspace_for_write(caller, one.line.workspace)
    except Refusal as refusal:
        raise Broken(one.number, refusal) from None
    told = _of_record(one.line, known) if isinstance(one.line, RecordLine) else _of_tombstone(one.line, known)
    return Record(
        id=id,
        organization_id=caller.organization_id,
        project_id=caller.writes_in,
        workspace=workspace,
        author_id=owner.author_id,
        department_id=owner.department_id,
        visibility=owner.visibility,
        **told,
    )


def _of_record(line: RecordLine, known: Known) -> dict[str, Any]:
    return {
        **{name: getattr(line, name) for name in AS_STORED},
        "key_id": line.key if line.key in known.keys else None,
        "content_digest": content_digest(line.content),
        "tokens": count_below(line.content),
        "source_digest": digest_of(line.source_hash),
        "words": search_document(line, fact_key=line.fact_key),
    }


def _of_tombstone(line: Any, known: Known) -> dict[str, Any]:
    return {
        "scope": "shared",
        "source": "owner",
        "content": "",
        "content_digest": line.content_digest,
        "observed_at": line.created_at,
        "created_at": line.created_at,
        "updated_at": line.updated_at,
        "forgotten_at": line.forgotten_at,
        "forgotten_by_id": line.forgotten_by if line.forgotten_by in known.people else None,
        "forgotten_reason": line.reason,
        "words": "",
    }
