"""Calls over REST in the test's own transaction."""

import json
from collections.abc import Mapping
from typing import Any

from django.test import Client

from tests.cast import Person


def post(person: Person | None, path: str, body: Any, **headers: str) -> Any:
    """POST a JSON value, or bytes as they are, as somebody or nobody; a fault is answered and not raised."""
    sent = body if isinstance(body, bytes | str) else json.dumps(body, ensure_ascii=False)
    signed = {**(person.headers if person else {}), **{name.replace("_", "-"): text for name, text in headers.items()}}
    kind = signed.pop("Content-Type", "application/json")
    return Client(raise_request_exception=False).post(path, sent, content_type=kind, headers=signed)


def get(person: Person | None, path: str, **headers: str) -> Any:
    """GET an address as somebody or nobody."""
    signed = {**(person.headers if person else {}), **{name.replace("_", "-"): text for name, text in headers.items()}}
    return Client(raise_request_exception=False).get(path, headers=signed)


def told(response: Any) -> tuple[int, Any, Any]:
    """Return status, code and field of a problem; it must be one."""
    assert response["Content-Type"] == "application/problem+json", (response.status_code, response.content[:300])
    body: Mapping[str, Any] = response.json()
    assert (body["status"], bool(body["title"])) == (response.status_code, True)
    return response.status_code, body.get("code"), body.get("field")
