"""Completion of what a person types into a prompt or an address: the names of workspaces that they may see."""

from mcp_types import CompleteRequestParams, Completion

from memory.mcp.asked import Asked
from memory.protocol import shapes
from memory.queries import overview
from orgs.names import canonical

MOST = 100
"""So many values one answer may hold, as the protocol says."""


def complete(asked: Asked, params: CompleteRequestParams) -> Completion:
    """Return the workspaces whose name begins with what was typed; nothing for other arguments."""
    if params.argument.name != "workspace":
        return Completion(values=[], total=0, has_more=False)
    listed = overview.workspaces(asked.caller, shapes.WorkspacesInputs(limit=500))
    typed = canonical(params.argument.value)
    names = [one.name for one in listed.results if one.name.startswith(typed)]
    more = len(names) > MOST or listed.meta.next_cursor is not None
    return Completion(values=names[:MOST], total=None if more else len(names), has_more=more)
