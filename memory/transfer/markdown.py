"""An export for people: each record as a Markdown node, with what is known of it above its text."""

import json

from memory.protocol.shapes import Inputs, RecordLine

_NOT_ABOVE = {"content"}


def node(line: Inputs) -> str:
    """Return a line as a node: YAML front matter (each value as JSON, which YAML reads), and the text if there is one.

    Links and tombstones are nodes without text, so that nothing of the export is missing here.
    """
    told = line.model_dump(mode="json", exclude=_NOT_ABOVE)
    if isinstance(line, RecordLine):
        told = {"path": f"{line.project}/{line.workspace}/{line.fact_key or line.id}.md", **told}
    above = "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in told.items())
    text = f"\n{line.content}\n" if isinstance(line, RecordLine) else ""
    return f"---\n{above}---\n{text}\n"
