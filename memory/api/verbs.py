"""The verbs over REST. One viewset a verb, whose action and schema are made from the declared protocol."""

from collections import defaultdict
from typing import Any, Union

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from pydantic import BaseModel, RootModel, create_model
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from memory.api.asking import caller_of
from memory.api.formats import ProblemRenderer
from memory.api.problems import REQUEST_ID
from memory.protocol.shapes import Failed, Problem
from memory.protocol.verbs import LIVE, Verb
from memory.verbs import Outcome, run
from orgs.errors import Invalid

IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 255, "pattern": r"^[!-~]([ -~]*[!-~])?$"},
    OpenApiParameter.HEADER,
    description="The same key and body answer with the first call's answer for 24 hours; the effect happens once.",
)
PROBLEMS = {
    400: "The request is not valid; `field` names what to mend.",
    401: "No valid key or session.",
    403: "The caller may not do this.",
    404: "Absent, foreign or hidden: the three look alike.",
    406: "The caller takes neither JSON nor problems.",
    409: "Somebody else was first, or the record's state forbids it.",
    413: "Too large; the limit is stated.",
    414: "The address is too long.",
    415: "The body is not application/json, or is compressed.",
    422: "Well formed, and yet it can't be done.",
    429: "A limit is reached.",
    431: "The headers are too long.",
    503: "A part that is needed does not answer; try again after Retry-After seconds.",
}
FURTHER_PROBLEMS = {409: "Somebody else decided otherwise; `state` says how."}


class VerbViewSet(ViewSet):
    """POST /v1/<verb>."""

    verb: str

    def call(self, request: Request) -> Response:
        """Answer one call of the verb."""
        return answered(request, self.verb, request.data)


def answered(request: Request, verb: str, payload: Any) -> Response:
    """Run a verb for the caller of the request and render its outcome."""
    refuse_address_parameters(request)
    key = request.headers.get("Idempotency-Key")
    return rendered(request, run(verb, caller_of(request), payload, now=timezone.now(), idempotency_key=key))


def refuse_address_parameters(request: Request) -> None:
    """Refuse what stands after a question mark: it would be dropped silently, and addresses get logged."""
    if request.query_params:
        raise Invalid("Parameters go into the body, not into the address.", field="query")


def rendered(request: Request, outcome: Outcome) -> Response:
    """Return an outcome as a response; a form with an error status is a problem that carries the form's keys."""
    headers = {"Idempotency-Replayed": "true"} if outcome.replayed else None
    problem = problem_of(outcome, request_id=request.META.get(REQUEST_ID, ""))
    if problem is None:
        return Response(outcome.answer, status=outcome.shape.http_status, headers=headers)
    request.accepted_renderer = ProblemRenderer()
    return Response(problem, status=problem.status, headers=headers, content_type=ProblemRenderer.media_type)


def problem_of(outcome: Outcome, *, request_id: str) -> Problem | None:
    """Return the problem that a form with an error status is, or nothing for an answer."""
    status = outcome.shape.http_status
    if isinstance(outcome.answer, Failed) and outcome.answer.error == "unknown":
        status = 404
    if status < 400:
        return None
    told = outcome.answer.model_dump(mode="json", exclude_unset=True) if outcome.answer else {}
    return Problem(
        title="Nothing was changed.",
        status=status,
        code=told["error"],
        detail=told.get("reason") or told.get("hint") or "",
        request_id=request_id,
        **told,
    )


def viewset_of(verb: Verb) -> type[VerbViewSet]:
    """Make the viewset of a live verb."""
    document = extend_schema(
        operation_id=verb.name,
        summary=verb.summary,
        request={"application/json": verb.inputs},
        responses=responses_of(verb),
        parameters=[IDEMPOTENCY_KEY] if verb.mutates else [],
        tags=["verbs"],
    )

    def call(self: VerbViewSet, request: Request) -> Response:
        return VerbViewSet.call(self, request)

    name = "".join(word.title() for word in verb.name.split("_"))
    return type(f"{name}ViewSet", (VerbViewSet,), {"verb": verb.name, "call": document(call), "__doc__": verb.summary})


def responses_of(verb: Verb) -> dict[Any, Any]:
    """Return what a verb may answer, by HTTP status, for the OpenAPI document."""
    forms: dict[int, list[type[BaseModel] | None]] = defaultdict(list)
    for shape in verb.shapes.values():
        if shape.http_status < 400:
            forms[shape.http_status].append(shape.answer)
    answers = {(status, "application/json"): _one_of(verb, models) for status, models in forms.items()}
    return answers | problem_responses()


def problem_responses(*further: int) -> dict[Any, Any]:
    """Return the problems every operation may answer with, and those that only some do."""
    told = PROBLEMS | {status: FURTHER_PROBLEMS[status] for status in further}
    return {
        (status, ProblemRenderer.media_type): OpenApiResponse(Problem, description=text)
        for status, text in told.items()
    }


def _one_of(verb: Verb, models: list[type[BaseModel] | None]) -> type[BaseModel]:
    if len(models) == 1 and models[0]:
        return models[0]
    name = "".join(word.title() for word in verb.name.split("_")) + "Answer"
    union: Any = RootModel[Union[tuple(models)]]  # type: ignore[misc]  # noqa: UP007 — built from a list
    made: type[BaseModel] = create_model(name, __base__=union)
    return made


VIEWSETS = {name: viewset_of(verb) for name, verb in LIVE.items()}
