"""The tree of refusals: every expected "no" that reaches a client, whatever door it came through.

A refusal knows its HTTP status and its stable code; doors (REST, MCP, pages) render it, nothing else does.
Pure: no framework is imported here.
"""

from collections.abc import Mapping
from typing import Any, ClassVar


class Refusal(Exception):
    """Tell a caller no, in words that betray nothing the caller may not know.

    `detail` is for people and never repeats what was sent; `field` names the input concerned;
    `hint` says what to do instead; `data` holds further members for machines.
    """

    code: ClassVar[str] = "refused"
    status: ClassVar[int] = 400
    title: ClassVar[str] = "Refused"

    def __init__(
        self,
        detail: str = "",
        *,
        field: str | None = None,
        hint: str | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(detail or self.title)
        self.detail = detail or self.title
        self.field = field
        self.hint = hint
        self.data: dict[str, Any] = dict(data or {})


class Invalid(Refusal):
    """What was sent breaks the contract."""

    code = "invalid"
    status = 400
    title = "The request is not valid."


class Unauthenticated(Refusal):
    """Nobody known is asking. Why exactly is said to the audit log only."""

    code = "unauthenticated"
    status = 401
    title = "A valid API key is required, as the header Authorization: Bearer KEY."


class Forbidden(Refusal):
    """The caller is known, and may not do this."""

    code = "forbidden"
    status = 403
    title = "This is not allowed for you."


class Unknown(Refusal):
    """Absent, foreign or hidden: the three look alike on purpose."""

    code = "unknown"
    status = 404
    title = "There is no such thing here."


class Clash(Refusal):
    """Somebody else changed or took it first."""

    code = "clash"
    status = 409
    title = "This clashes with what is there already."


class TooLarge(Refusal):
    """More was sent than is taken at once."""

    code = "too_large"
    status = 413
    title = "This is too large."


class Unprocessable(Refusal):
    """Well formed, and yet it cannot be done."""

    code = "unprocessable"
    status = 422
    title = "This cannot be done as asked."


class TooMany(Refusal):
    """A limit on calls or records is reached. `wait`: seconds after which another try may succeed, if time helps."""

    code = "too_many"
    status = 429
    title = "A limit is reached."

    def __init__(self, detail: str = "", *, wait: int | None = None, **told: Any) -> None:
        super().__init__(detail, **told)
        self.wait = wait


class Unavailable(Refusal):
    """A part that is needed does not answer now; trying again later is right."""

    code = "unavailable"
    status = 503
    title = "This is not available at the moment."
