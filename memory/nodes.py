"""A record as a Markdown node: where it stands, and what stands above its text."""

from typing import Any

from memory.models import Record
from memory.protocol import shapes

_NOT_IN_FRONTMATTER = frozenset({"id", "content", "score", "explanation"})


def path_of(record: Record) -> str:
    """Return <project>/<workspace>/<fact_key or id>.md; the record needs its project and workspace loaded."""
    return f"{record.project.slug}/{record.workspace.name}/{record.fact_key or record.id}.md"


def frontmatter_of(shown: shapes.Record) -> dict[str, Any]:
    """Return what is known of a record beside its text, as JSON."""
    return shown.model_dump(mode="json", exclude=set(_NOT_IN_FRONTMATTER))
