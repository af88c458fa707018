"""POST /v1/memory: any verb, named by `op` or guessed from what was passed."""

import json
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from pydantic import BaseModel, ConfigDict, Field, RootModel
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from memory.api.asking import caller_of
from memory.api.verbs import IDEMPOTENCY_KEY, problem_responses, refuse_address_parameters, rendered
from memory.protocol.deriving import HINT, derived
from memory.protocol.verbs import LIVE
from memory.verbs import run
from orgs.errors import Invalid


class AnyInputs(BaseModel):
    """A verb's parameters, and the verb."""

    model_config = ConfigDict(extra="allow")

    op: str | None = Field(None, description=f"One of {', '.join(LIVE)}; guessed if omitted.")


class AnyForm(BaseModel):
    """The verb's own answer; with `op`, `op_derived` and `hint` if the verb was guessed."""

    model_config = ConfigDict(extra="allow")


class AnyAnswer(RootModel[AnyForm | None]):
    """The verb's own answer: null where a node is missing."""


class MemoryViewSet(ViewSet):
    """One address for all verbs."""

    @extend_schema(
        operation_id="memory",
        summary="Any verb; the verb is guessed if op is omitted.",
        request={"application/json": AnyInputs},
        responses={(200, "application/json"): AnyAnswer, (201, "application/json"): AnyAnswer} | problem_responses(),
        parameters=[IDEMPOTENCY_KEY],
        tags=["verbs"],
    )
    def call(self, request: Request) -> Response:
        """Answer one call of whichever verb is meant."""
        refuse_address_parameters(request)
        verb, inputs, guessed = meant(request.data)
        key = request.headers.get("Idempotency-Key")
        outcome = run(verb, caller_of(request), inputs, now=timezone.now(), idempotency_key=key)
        response = rendered(request, outcome)
        if guessed and outcome.answer is not None and response.status_code < 400:
            response.data = with_guess(json.loads(outcome.answer.as_json()), verb)
        return response


def meant(payload: object) -> tuple[str, dict[str, Any], bool]:
    """Return the verb, its inputs, and whether the verb was guessed; raise Invalid for what names none."""
    if not isinstance(payload, dict):
        raise Invalid("The body must be a JSON object of parameters.", field="body")
    inputs: dict[str, Any] = {name: value for name, value in payload.items() if name != "op"}
    op = payload.get("op")
    if op is not None and not isinstance(op, str):
        raise Invalid(f"op must be one of {', '.join(LIVE)}.", field="op")
    return (op.strip().lower(), inputs, False) if op else (derived(inputs), inputs, True)


def with_guess(told: dict[str, Any], verb: str) -> dict[str, Any]:
    """Return an answer that also says which verb was guessed."""
    return {**told, "op": verb, "op_derived": True, "hint": told.get("hint") or HINT}
