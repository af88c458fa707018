"""What a team can do and `route` may point at."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from memory.protocol.fields import Label, Line
from memory.protocol.shapes.bases import Answer, Inputs


def _in_an_address(name: str) -> str:
    if not name.isprintable() or any(sign in name for sign in "/?#%") or name != name.strip() or name in {".", ".."}:
        raise ValueError("must be printable, without / ? # % and without spaces around it")
    return name


class CapabilityInputs(Inputs):
    """A capability; one of the same name is replaced."""

    name: Annotated[Label, AfterValidator(_in_an_address)] = Field(description="E.g. deploy.staging")
    description: Line = Field(description="What it does.")
    when: Line = Field(description="In which situation to use it.")


class Capability(Answer):
    """A registered capability."""

    name: str
    description: str
    when: str
    created_at: datetime


class CapabilitiesAnswer(Answer):
    """The project's capabilities, by name."""

    results: list[Capability]


class Withdrawn(Answer):
    """A capability is registered no more."""

    ok: Literal[True]
    name: str
