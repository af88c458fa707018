"""Calls that change something and are no verb: how their outcome is rendered, and what they say in their address."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from pydantic import BaseModel
from rest_framework.request import Request
from rest_framework.response import Response

from memory.api.asking import caller_of
from memory.effects import Effect

STATUS: Mapping[str, int] = {"registered": 201}
"""By the form of an answer; 200 for all others."""


def effected(request: Request, act: Callable[..., Effect], *named: Any, **told: Any) -> Response:
    """Do it for the caller of the request, and render what it answered."""
    key = request.headers.get("Idempotency-Key")
    done = act(caller_of(request), *named, now=timezone.now(), idempotency_key=key, **told)
    headers = {"Idempotency-Replayed": "true"} if done.replayed else None
    return Response(done.answer, status=STATUS.get(done.form, 200), headers=headers)


def in_address(inputs: type[BaseModel]) -> list[OpenApiParameter]:
    """Describe the parameters that an operation takes in its address."""
    properties = inputs.model_json_schema()["properties"]
    return [
        OpenApiParameter(name, _plain(schema), description=schema.get("description", ""))
        for name, schema in properties.items()
    ]


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a parameter that is left out and not null when it isn't given."""
    given = next(one for one in schema.get("anyOf", [schema]) if one.get("type") != "null")
    return {name: value for name, value in given.items() if name not in {"title", "description"}}
