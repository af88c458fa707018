"""What the addresses of operations have in common: their description, and how their effect is rendered."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memory.api.asking import caller_of
from memory.api.verbs import IDEMPOTENCY_KEY, problem_responses, refuse_address_parameters
from memory.effects import Effect
from memory.operations.acting import Operation
from memory.protocol.shapes import Nothing
from orgs.errors import Invalid

Method = TypeVar("Method", bound=Callable[..., Any])

STATUS: Mapping[str, int] = {"registered": 201}
"""By the form of an answer; 200 for all others."""


def documented(operation: Operation, *, summary: str, tag: str) -> Callable[[Method], Method]:
    """Describe an operation's address for the OpenAPI document."""
    decorated: Callable[[Method], Method] = extend_schema(
        operation_id=operation.name,
        summary=summary,
        request=None if operation.inputs is Nothing else {"application/json": operation.inputs},
        responses={(200, "application/json"): operation.answer} | problem_responses(),
        parameters=[IDEMPOTENCY_KEY],
        tags=[tag],
    )
    return decorated


def refuse_body(request: Request) -> None:
    """Refuse parameters where none is taken: they would be dropped silently."""
    if request.data:
        raise Invalid("This takes no parameters: send no body, or an empty object.", field="body")


def done_without_body(request: Request, change: Callable[..., Effect], *about: Any) -> Response:
    """Make one change that takes no parameters but those in the address's path."""
    refuse_body(request)
    return done(request, change, *about)


def done(request: Request, change: Callable[..., Effect], *about: Any) -> Response:
    """Make one change for the caller of the request and render what it answered."""
    refuse_address_parameters(request)
    return effected(request, change, *about)


def effected(request: Request, change: Callable[..., Effect], *about: Any, **told: Any) -> Response:
    """Make one change that may take parameters in its address too; the view has read those into `told`."""
    key = request.headers.get("Idempotency-Key")
    effect = change(caller_of(request), *about, now=timezone.now(), idempotency_key=key, **told)
    headers = {"Idempotency-Replayed": "true"} if effect.replayed else None
    return Response(effect.answer, status=STATUS.get(effect.form, 200), headers=headers)
