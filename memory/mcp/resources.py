"""What a client can read by its address: the project at a glance, a record, a fact with its versions."""

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import unquote

from django.utils import timezone
from mcp_types import Annotations, ReadResourceResult, Resource, ResourceTemplate, TextResourceContents

from memory.mcp.asked import Asked
from memory.mcp.packs import quoted, recent_of, texts_of
from memory.protocol import shapes
from memory.protocol.parsing import parse
from memory.queries import listing, overview
from memory.verbs import run
from orgs.errors import Unknown

PROJECT, RECORD, FACT = "memory://project", "memory://record/", "memory://fact/"
MARKDOWN = "text/markdown"
_BELOW = {"content", "score", "explanation"}
BUDGET = 2_000
"""Tokens of the records that the digest holds."""

RESOURCES = (
    Resource(
        uri=PROJECT,
        name="project",
        title="The project at a glance",
        description="How many records there are, in which workspaces and of which status, and the newest of them.",
        mime_type=MARKDOWN,
        annotations=Annotations(audience=["assistant"], priority=0.8),
    ),
)
TEMPLATES = (
    ResourceTemplate(
        uri_template=RECORD + "{id}",
        name="record",
        title="A record",
        description="One record in full as a Markdown node, with what is known of it above its text.",
        mime_type=MARKDOWN,
    ),
    ResourceTemplate(
        uri_template=FACT + "{fact_key}",
        name="fact",
        title="A fact with its versions",
        description="All versions of a fact that you may see, superseded ones too, newest first.",
        mime_type=MARKDOWN,
    ),
)


def read(asked: Asked, uri: str) -> ReadResourceResult:
    """Return what stands at an address; raise Unknown where there is nothing that the caller may see."""
    for prefix, reader in _READERS.items():
        if uri == prefix or (prefix.endswith("/") and uri.startswith(prefix)):
            text = reader(asked, unquote(uri.removeprefix(prefix)))
            return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type=MARKDOWN, text=text)])
    raise Unknown("There is no such resource here.", field="uri")


def _record(asked: Asked, id: str) -> str:
    """Read a node piece by piece, as an agent would."""
    pieces, offset = [], 0
    while True:
        node = run("read", asked.caller, {"node_id": id, "offset": offset}, now=timezone.now()).answer
        if not isinstance(node, shapes.Node):
            raise Unknown("There is no such record here.", field="uri")
        pieces.append(node.content)
        if node.next_offset is None:
            return _node({"path": node.path, "id": str(node.id), **node.frontmatter}, "".join(pieces))
        offset = node.next_offset


def _fact(asked: Asked, fact_key: str) -> str:
    wanted = parse(shapes.ListInputs, {"fact_key": fact_key, "include_superseded": True, "limit": 50})
    found = listing.records(asked.caller, wanted, now=timezone.now()).results
    if not found:
        raise Unknown("There is no such fact here.", field="uri")
    # Quoted, for each node but the first stands below somebody's text, which might look like one.
    return "\n".join(_node(one.model_dump(mode="json", exclude=_BELOW), quoted(one.content)) for one in found)


def _project(asked: Asked, _: str) -> str:
    now = timezone.now()
    counted = overview.stats(asked.caller, shapes.StatsInputs(), now=now)
    pack = run("read", asked.caller, {"budget_tokens": BUDGET, "include_recent": True}, now=now).answer
    if not isinstance(pack, shapes.Pack):
        raise TypeError("read answers a pack to a budget")
    statuses = ", ".join(f"{number} {status}" for status, number in counted.by_status.items())
    places = ", ".join(f"{name} ({number})" for name, number in sorted(counted.by_workspace.items()))
    head = f"# What is known\n\nRecords: {counted.records} ({statuses}).\nWorkspaces: {places or 'none yet'}.\n"
    return f"{head}\n## Newest\n\n{recent_of(pack)}\n\n## In full\n\n{texts_of(pack)}\n"


def _node(above: Mapping[str, Any], text: str) -> str:
    """Write a node: each value above the text is JSON, which YAML reads."""
    lines = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in above.items())
    return f"---\n{lines}---\n\n{text}\n"


_READERS: Mapping[str, Callable[[Asked, str], str]] = MappingProxyType(
    {PROJECT: _project, RECORD: _record, FACT: _fact}
)
