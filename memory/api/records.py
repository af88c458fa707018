"""Records over REST: lists, one by its id, what is around it, and its changes that are no verbs."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from memory.api.addresses import asked_in, id_in, parameters_of
from memory.api.asking import caller_of
from memory.api.operations import documented, done_without_body, refuse_body
from memory.api.verbs import IDEMPOTENCY_KEY, answered, problem_responses, refuse_address_parameters
from memory.operations import protection, reinstating
from memory.protocol import shapes
from memory.queries import listing


class RecordViewSet(ViewSet):
    """/v1/records and /v1/records/{id}."""

    @extend_schema(
        operation_id="records",
        summary="Records that pass the filters, newest first.",
        responses={(200, "application/json"): shapes.RecordList} | problem_responses(),
        parameters=parameters_of(shapes.ListInputs),
        tags=["records"],
    )
    def list(self, request: Request) -> Response:
        """Answer a page of records."""
        asked = asked_in(request, shapes.ListInputs)
        return Response(listing.records(caller_of(request), asked, now=timezone.now()))

    @extend_schema(
        operation_id="record",
        summary="One record as the caller sees it now.",
        responses={(200, "application/json"): shapes.Record} | problem_responses(),
        tags=["records"],
    )
    def retrieve(self, request: Request, id: str) -> Response:
        """Answer the record."""
        refuse_address_parameters(request)
        return Response(listing.one_record(caller_of(request), id_in(id), now=timezone.now()))

    @extend_schema(
        operation_id="versions",
        summary="All versions of the record's fact that the caller sees, superseded ones too, newest first.",
        responses={(200, "application/json"): shapes.RecordList} | problem_responses(),
        parameters=parameters_of(shapes.Page),
        tags=["records"],
    )
    def versions(self, request: Request, id: str) -> Response:
        """Answer a page of versions."""
        asked = asked_in(request, shapes.Page)
        return Response(listing.versions(caller_of(request), id_in(id), asked, now=timezone.now()))

    @extend_schema(
        operation_id="relations",
        summary="The record's links to others that the caller sees, strongest first.",
        responses={(200, "application/json"): shapes.RelationsAnswer} | problem_responses(),
        parameters=parameters_of(shapes.RelationsInputs),
        tags=["records"],
    )
    def relations(self, request: Request, id: str) -> Response:
        """Answer the links."""
        asked = asked_in(request, shapes.RelationsInputs)
        return Response(listing.relations(caller_of(request), id_in(id), asked))

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
        refuse_body(request)
        return answered(request, "forget", {"memory_id": str(id_in(id)), "action": "restore"})

    @documented(protection.PROTECT, summary="Protect a record: it is then forgotten only by override.", tag="records")
    def protect(self, request: Request, id: str) -> Response:
        """Answer that it is protected."""
        return done_without_body(request, protection.protect, id_in(id))

    @documented(protection.UNPROTECT, summary="Take a record's protection away.", tag="records")
    def unprotect(self, request: Request, id: str) -> Response:
        """Answer that it is not protected."""
        return done_without_body(request, protection.unprotect, id_in(id))

    @documented(reinstating.REINSTATE, summary="Undo that the record was superseded.", tag="records")
    def reinstate(self, request: Request, id: str) -> Response:
        """Answer what no longer takes its place."""
        return done_without_body(request, reinstating.reinstated, id_in(id))
