"""A pack of records as text for a model: each with its address, its status, and marked as somebody's words."""

import json

from memory.protocol import shapes


def texts_of(pack: shapes.Pack) -> str:
    """Return the records in full."""
    told = [f"### {one.path}\nid {one.id}, {one.verification_state}\n\n{quoted(one.content)}" for one in pack.pack]
    return "\n\n".join(told) or "Nothing is known yet."


def recent_of(pack: shapes.Pack) -> str:
    """Return the newest records, a line each."""
    told = [f"- {said(one.preview)} ({one.path}, {one.verification_state})" for one in pack.recent]
    return "\n".join(told) or "Nothing yet."


def quoted(text: str) -> str:
    """Quote a record's text, so that nothing in it passes for words of ours."""
    return "\n".join(f"> {line}" for line in text.splitlines())


def said(text: object) -> str:
    """Put a short text that somebody wrote between quotation marks, on the line where it stands."""
    return json.dumps(" ".join(str(text).split()), ensure_ascii=False)
