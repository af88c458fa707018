"""Records over REST: one by its id, and its return from the forgotten."""

from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from memory import queries
from memory.api.asking import caller_of
from memory.api.verbs import IDEMPOTENCY_KEY, answered, problem_responses, refuse_address_parameters
from memory.protocol import shapes
from orgs.errors import Invalid, Unknown


class RecordViewSet(ViewSet):
    """/v1/records/{id}."""

    @extend_schema(
        operation_id="record",
        summary="One record as the caller sees it now.",
        responses={(200, "application/json"): shapes.Record} | problem_responses(),
        tags=["records"],
    )
    def retrieve(self, request: Request, id: str) -> Response:
        """Answer the record."""
        refuse_address_parameters(request)
        return Response(queries.one_record(caller_of(request), _id(id), now=timezone.now()))

    @extend_schema(
        operation_id="restore",
        summary="Bring a forgotten record back.",
        request=None,
        responses={(200, "application/json"): shapes.Restored} | problem_responses(),
        parameters=[IDEMPOTENCY_KEY],
        tags=["records"],
    )
    def restore(self, request: Request, id: str) -> Response:
        """Answer that it is back."""
        if request.data:
            raise Invalid("This takes no parameters: send no body, or an empty object.", field="body")
        return answered(request, "forget", {"memory_id": str(_id(id)), "action": "restore"})


def _id(text: str) -> UUID:
    """Return the id, or raise Unknown: what can't be an id is the id of nothing."""
    try:
        return UUID(text)
    except ValueError:
        raise Unknown("There is no such record here.") from None
