"""One request at the door, as the tools see it: who asks, in which place, and what its log line will tell."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from memory.protocol.shapes import Inputs
from orgs.access import project_named
from orgs.caller import Caller
from orgs.errors import Unknown
from orgs.names import canonical
from orgs.tenancy import acting_for


class Surface(StrEnum):
    """Which tools are listed; all of them can be called. Each listed one costs the agent some of its context."""

    CORE = "core"
    FULL = "full"
    ONE = "one"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What of an HTTP request the tools need. `told` goes into the request's log line."""

    caller: Caller
    workspace: str | None
    surface: Surface
    request_id: str
    idempotency_key: str | None
    told: dict[str, str]

    def placed(self, inputs: type[Inputs], arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of a verb; where a workspace would be assumed, it is the one of the address."""
        field = inputs.model_fields.get("workspace")
        if self.workspace is None or field is None or field.default is None or arguments.get("workspace") is not None:
            return dict(arguments)
        return {**arguments, "workspace": self.workspace}


def narrowed(caller: Caller, *, project: str | None, workspace: str | None) -> Caller:
    """Return the caller within the project and the workspace of an address.

    An address only ever narrows what a key reaches; raises Unknown for a place outside of that.
    """
    if project is not None:
        with acting_for(caller.organization_id):
            place = project_named(caller, project).id
        caller = replace(caller.writing_in(place), projects={place: caller.projects[place]})
    if workspace is None:
        return caller
    named = canonical(workspace)
    if not named or not named.isprintable() or not caller.knows_workspace(named):
        raise Unknown("There is no such workspace here.", field="workspace")
    return replace(caller, workspaces=frozenset({named}), every_workspace=False, reads_organization=False)
