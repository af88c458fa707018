"""Bytes in, bytes out: strict JSON, and the protocol's own shapes rendered as they are."""

import json
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from pydantic import BaseModel
from pydantic_core import from_json
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer

from memory.protocol.shapes import Answer
from orgs.errors import Invalid, TooLarge


class StrictJSONParser(BaseParser):
    """Reads one JSON value: valid UTF-8, no lone surrogates, no NaN, bounded in size and depth."""

    media_type = "application/json"

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the value, or raise Invalid or TooLarge saying what to do; UnsupportedMediaType if compressed."""
        request = (parser_context or {}).get("request")
        if request is not None and request.headers.get("Content-Encoding", "identity").lower() != "identity":
            raise UnsupportedMediaType("compressed")
        body = stream.read(settings.MAX_BODY_BYTES + 1)
        if len(body) > settings.MAX_BODY_BYTES:
            raise TooLarge(
                f"A body may hold {settings.MAX_BODY_BYTES} bytes at most.",
                data={"limit_bytes": settings.MAX_BODY_BYTES},
            )
        try:
            return from_json(body, allow_inf_nan=False)
        except ValueError:
            raise Invalid("The body is not valid JSON in UTF-8, or is nested too deeply.", field="body") from None


class ShapeRenderer(BaseRenderer):
    """Writes an answer of the protocol, or plain data."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        """Return UTF-8 JSON."""
        if data is None:
            return b"null"
        if isinstance(data, Answer):
            return data.as_json().encode()
        if isinstance(data, BaseModel):
            return data.model_dump_json().encode()
        return json.dumps(data, ensure_ascii=False, default=str).encode()


class ProblemRenderer(ShapeRenderer):
    """Writes a problem (RFC 9457)."""

    media_type = "application/problem+json"
