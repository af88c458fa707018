"""What a caller may ask of `/v1/embeddings`, and the one shape of every refusal (OpenAI's)."""

import json
from collections.abc import Container
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

LARGEST_BODY = 8 * 1024 * 1024  # bytes
MOST_TEXTS = 512
FIELDS = {"model", "input", "encoding_format", "dimensions", "user"}


class Refused(Exception):
    """A request that is not answered with vectors."""

    def __init__(
        self, message: str, *, param: str | None = None, code: str, status: int = HTTPStatus.BAD_REQUEST
    ) -> None:
        super().__init__(message)
        self.status = HTTPStatus(status)
        kind = "server_error" if self.status >= HTTPStatus.INTERNAL_SERVER_ERROR else "invalid_request_error"
        self.body = {"error": {"message": message, "type": kind, "param": param, "code": code}}


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that can be answered."""

    model: str
    texts: list[str]
    in_base64: bool
    dimensions: int | None


def read(body: bytes, *, models: Container[str]) -> Asked:
    """This will read a request strictly. Raises Refused."""
    fields = _fields(body)
    model = fields.get("model")
    if not isinstance(model, str) or not model:
        raise Refused("'model' must be the name of a model", param="model", code="invalid_type")
    if model not in models:
        message = f"there is no model {model[:100]!r} here"
        raise Refused(message, param="model", code="model_not_found", status=HTTPStatus.NOT_FOUND)
    return Asked(model, _texts(fields.get("input")), _in_base64(fields), _dimensions(fields))


def _fields(body: bytes) -> dict[str, Any]:
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError) as wrong:
        raise Refused("the body is not JSON in UTF-8", code="invalid_json") from wrong
    if not isinstance(fields, dict):
        raise Refused("the body must be a JSON object", code="invalid_type")
    if unknown := sorted(set(fields) - FIELDS):
        raise Refused(f"unknown field {unknown[0][:100]!r}", param=unknown[0][:100], code="unknown_parameter")
    if not isinstance(fields.get("user", ""), str):
        raise Refused("'user' must be a string", param="user", code="invalid_type")
    return fields


def _texts(given: object) -> list[str]:
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise Refused("'input' must be a string or a list of strings", param="input", code="invalid_type")
    if not texts or not all(texts):
        raise Refused("'input' must not be empty, nor hold an empty string", param="input", code="invalid_value")
    if len(texts) > MOST_TEXTS:
        raise Refused(f"'input' may hold {MOST_TEXTS} strings at most", param="input", code="invalid_value")
    return texts


def _in_base64(fields: dict[str, Any]) -> bool:
    encoding = fields.get("encoding_format", "float")
    if encoding not in ("float", "base64"):
        message = "'encoding_format' must be 'float' or 'base64'"
        raise Refused(message, param="encoding_format", code="invalid_value")
    return bool(encoding == "base64")


def _dimensions(fields: dict[str, Any]) -> int | None:
    dimensions = fields.get("dimensions")
    if dimensions is not None and (not isinstance(dimensions, int) or isinstance(dimensions, bool)):
        raise Refused("'dimensions' must be a whole number", param="dimensions", code="invalid_type")
    return dimensions
