"""Which project is meant by a call that names one, or none."""

from orgs.access import project_named
from orgs.caller import Caller
from orgs.errors import Unknown
from orgs.roles import NO_PERMISSION, Permission


def managing(caller: Caller, project: str | None) -> Caller:
    """Return the caller where it manages a project: the named one, or the one where it writes."""
    caller = placed(caller, project)
    caller.require(Permission.MANAGE)
    return caller


def placed(caller: Caller, project: str | None) -> Caller:
    """Return the caller in the named project, or in the only one that it has. Needs its transaction."""
    if project is not None:
        return caller.writing_in(project_named(caller, project).id)
    if caller.project_id is not None:
        return caller
    own = [id for id, held in caller.projects.items() if held != NO_PERMISSION]
    if len(own) != 1:
        raise Unknown("Say which project is meant.", field="project")
    return caller.writing_in(own[0])
