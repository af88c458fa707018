"""Who sees a record, as one condition. Every read of records starts here and nowhere else."""

from django.db.models import Q

from orgs.caller import Caller
from orgs.roles import Visibility


def seen_by(caller: Caller) -> Q:
    """Return the condition on records that the caller may see, forgotten or not.

    | visibility   | seen by                                                                     |
    | author       | its author                                                                  |
    | department   | … and members of its department and those below, heads of it and those above |
    | project      | … and everyone with access to the project                                   |
    | organization | … and every member and key of the organization, unless the key may not      |

    The first three also need access to the record's project. An author sees their own records there,
    whatever their visibility. A key of some workspaces sees nothing outside them.
    """
    in_reach = Q(project_id__in=caller.readable_projects)
    allowed = (
        Q(author_id=caller.user_id)
        | Q(visibility=Visibility.DEPARTMENT, department_id__in=caller.reachable_departments)
        | Q(visibility__in=[Visibility.PROJECT, Visibility.ORGANIZATION])
    )
    seen = in_reach & allowed
    if caller.reads_organization:
        seen |= Q(visibility=Visibility.ORGANIZATION)
    if not caller.every_workspace:
        seen &= in_reach & Q(workspace__name__in=caller.workspaces)
    return Q(organization_id=caller.organization_id) & seen
