"""GET /v1/records/{id}/decisions."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from archivist import queries
from memory.api.addresses import asked_in, id_in, parameters_of
from memory.api.asking import caller_of
from memory.api.verbs import problem_responses
from memory.protocol import shapes


class DecisionViewSet(ViewSet):
    """What the archivist decided about one record."""

    @extend_schema(
        operation_id="decisions",
        summary="What the archivist decided about a record, newest first.",
        responses={(200, "application/json"): shapes.DecisionList} | problem_responses(),
        parameters=parameters_of(shapes.Page),
        tags=["records"],
    )
    def list(self, request: Request, id: str) -> Response:
        """Answer a page of decisions."""
        return Response(queries.decisions(caller_of(request), id_in(id), asked_in(request, shapes.Page)))
