"""The field types of the protocol: bounded, strict, and free of what a database can't hold."""

import json
import math
import re
from datetime import UTC, datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from orgs.roles import Visibility

MAX_CONTENT = 1_048_576
MAX_QUERY = 2_000
MAX_METADATA_BYTES = 16 * 1024
MAX_METADATA_DEPTH = 8
NO_NUL = r"^[^\u0000]*$"
_DATE_FIRST = re.compile(r"\d{4}-\d{2}-\d{2}([Tt ]|$)", re.ASCII)  # else 1711116000000 is a day of the year 1711
_NO_INSTANT = "must be an ISO 8601 time such as 2026-03-01T09:00:00+03:00"
VISIBLE = r"^[^\u0000]*[^\s\u0000][^\u0000]*$"


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank")
    return text


def _no_nul(text: str) -> str:
    if "\0" in text:
        raise ValueError("must not contain the NUL character")
    return text


def text(most: int, *, least: int = 1) -> Any:
    """Return the type of a text of `least` to `most` characters, not blank, without NUL."""
    pattern = VISIBLE if least else NO_NUL
    checks = [AfterValidator(_no_nul), *([AfterValidator(_not_blank)] if least else [])]
    return Annotated[(str, Field(min_length=least, max_length=most, json_schema_extra={"pattern": pattern}), *checks)]


def _instant(value: object) -> object:
    if isinstance(value, datetime):
        return value
    if not isinstance(value, str) or not _DATE_FIRST.match(value.strip()):
        raise ValueError(_NO_INSTANT)
    try:
        moment = datetime.fromisoformat(value.strip())
        return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError(_NO_INSTANT) from None


def _identifier(value: object) -> object:
    if isinstance(value, UUID):
        return value
    try:
        return UUID(value) if isinstance(value, str) and len(value) == 36 else _no_identifier()
    except ValueError:
        return _no_identifier()


def _no_identifier() -> object:
    raise ValueError("must be an id such as 0199d1c4-7e1f-7c3a-9a4c-2e5d8b7f1a60")


def _storable(value: Any, *, depth: int) -> None:
    """Refuse what JSON columns can't hold: NUL, infinities, too many levels."""
    if depth > MAX_METADATA_DEPTH:
        raise ValueError(f"must not be nested more than {MAX_METADATA_DEPTH} levels deep")
    if isinstance(value, str):
        _no_nul(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("must hold finite numbers only")
    if isinstance(value, int) and abs(value) > 10**30:
        raise ValueError("must hold numbers of at most 30 digits")
    inner = [*value.keys(), *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    for item in inner:
        _storable(item, depth=depth + 1)


def _metadata(value: dict[str, Any]) -> dict[str, Any]:
    _storable(value, depth=0)
    if len(json.dumps(value, ensure_ascii=False).encode()) > MAX_METADATA_BYTES:
        raise ValueError(f"must take at most {MAX_METADATA_BYTES} bytes as JSON")
    return value


Instant = Annotated[datetime, BeforeValidator(_instant), WithJsonSchema({"type": "string", "format": "date-time"})]
RecordId = Annotated[UUID, BeforeValidator(_identifier), WithJsonSchema({"type": "string", "format": "uuid"})]
Share = Annotated[float, Field(ge=0, le=1)]
Metadata = Annotated[dict[str, Any], AfterValidator(_metadata)]
Content = text(MAX_CONTENT)
Query = text(MAX_QUERY)
Name = text(200)
Label = text(100)
Line = text(1_000)
Paragraph = text(4_000)
VisibilityWord = Annotated[Visibility, Field(strict=False)]
