"""How much there is, over REST."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from memory.api.addresses import asked_in, parameters_of
from memory.api.asking import caller_of
from memory.api.verbs import problem_responses
from memory.protocol import shapes
from memory.queries import overview


class OverviewViewSet(ViewSet):
    """/v1/workspaces and /v1/stats."""

    @extend_schema(
        operation_id="workspaces",
        summary="Workspaces in which the caller sees a record, and how many.",
        responses={(200, "application/json"): shapes.WorkspaceList} | problem_responses(),
        parameters=parameters_of(shapes.WorkspacesInputs),
        tags=["overview"],
    )
    def workspaces(self, request: Request) -> Response:
        """Answer a page of workspaces."""
        return Response(overview.workspaces(caller_of(request), asked_in(request, shapes.WorkspacesInputs)))

    @extend_schema(
        operation_id="stats",
        summary="Counts of the records that the caller sees, by status, workspace and day.",
        responses={(200, "application/json"): shapes.Stats} | problem_responses(),
        parameters=parameters_of(shapes.StatsInputs),
        tags=["overview"],
    )
    def stats(self, request: Request) -> Response:
        """Answer the counts."""
        asked = asked_in(request, shapes.StatsInputs)
        return Response(overview.stats(caller_of(request), asked, now=timezone.now()))
