"""Who may look at all, before the lens says at what."""

from orgs.caller import Caller
from orgs.roles import Permission


def require_sight(caller: Caller) -> None:
    """Let pass who may read somewhere, or raise Forbidden: a key where it was made for, a member in any project."""
    member = caller.key_id is None and caller.project_id is None
    if not (member and (caller.readable_projects or caller.reads_organization)):
        caller.require(Permission.VIEW)
