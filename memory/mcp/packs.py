"""A pack of records as text for a model: each with its address, its status, and marked as somebody's words."""

from memory.protocol import shapes


def texts_of(pack: shapes.Pack) -> str:
    """Return the records in full."""
    told = [f"### {one.path}\nid {one.id}, {one.verification_state}\n\n{_quoted(one.content)}" for one in pack.pack]
    return "\n\n".join(told) or "Nothing is known yet."


def recent_of(pack: shapes.Pack) -> str:
    """Return the newest records, a line each."""
    told = [f"- {' '.join(one.preview.split())} ({one.path}, {one.verification_state})" for one in pack.recent]
    return "\n".join(told) or "Nothing yet."


def _quoted(text: str) -> str:
    """Quote a record's text, so that nothing in it passes for words of ours."""
    return "\n".join(f"> {line}" for line in text.splitlines())
