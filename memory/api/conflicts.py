"""Conflicts over REST: the open questions, and their answers."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from memory.api.addresses import asked_in, parameters_of
from memory.api.asking import caller_of
from memory.api.operations import documented, done
from memory.api.verbs import problem_responses
from memory.operations import settling
from memory.protocol import shapes
from memory.queries import conflicts


class ConflictViewSet(ViewSet):
    """/v1/conflicts."""

    @extend_schema(
        operation_id="conflicts",
        summary="Facts whose live versions differ, as the caller sees them.",
        responses={(200, "application/json"): shapes.ConflictList} | problem_responses(),
        parameters=parameters_of(shapes.ConflictInputs),
        tags=["conflicts"],
    )
    def list(self, request: Request) -> Response:
        """Answer a page of conflicts."""
        asked = asked_in(request, shapes.ConflictInputs)
        return Response(conflicts.conflicts(caller_of(request), asked, now=timezone.now()))

    @documented(
        settling.SETTLE, summary="Keep one version, tell two facts apart, or forget all: at once.", tag="conflicts"
    )
    def settle(self, request: Request) -> Response:
        """Answer what became of the versions."""
        return done(request, settling.settle, request.data)
