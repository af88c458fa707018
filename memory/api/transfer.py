"""Export and import over REST, both streamed."""

from collections.abc import Mapping
from typing import IO, Any

from django.http import HttpResponseBase, StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from memory.api.addresses import asked_in, parameters_of
from memory.api.asking import caller_of
from memory.api.formats import ShapeRenderer
from memory.api.verbs import problem_responses
from memory.protocol import shapes
from memory.transfer.exporting import export
from memory.transfer.importing import bring_in
from orgs.errors import Unprocessable

JSON_LINES, MARKDOWN = "application/x-ndjson", "text/markdown"
_TYPES = {"jsonl": JSON_LINES, "markdown": f"{MARKDOWN}; charset=utf-8"}


class LinesParser(BaseParser):
    """Hands the body on unread: it is read line by line, whatever its length."""

    media_type = JSON_LINES

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the stream."""
        return stream


class LinesRenderer(ShapeRenderer):
    """Stands for JSON lines where a client says what it accepts."""

    media_type = JSON_LINES
    format = "jsonl"


class MarkdownRenderer(ShapeRenderer):
    """Stands for Markdown where a client says what it accepts."""

    media_type = MARKDOWN
    format = "markdown"


class TransferViewSet(ViewSet):
    """/v1/export and /v1/import."""

    parser_classes = [LinesParser]
    renderer_classes = [ShapeRenderer, LinesRenderer, MarkdownRenderer]

    @extend_schema(
        operation_id="export",
        summary="What the caller sees, with versions, links, times and tombstones: as JSON lines, or Markdown nodes.",
        responses={
            (200, JSON_LINES): OpenApiResponse(OpenApiTypes.BYTE, description="A header, records, links, an end."),
            (200, MARKDOWN): OpenApiTypes.STR,
        }
        | problem_responses(),
        parameters=parameters_of(shapes.ExportInputs),
        tags=["transfer"],
    )
    def take_out(self, request: Request) -> HttpResponseBase:
        """Answer the export, row by row."""
        asked = asked_in(request, shapes.ExportInputs)
        lines = export(caller_of(request), asked, now=timezone.now())
        name = f"palimpsest.{'md' if asked.format == 'markdown' else 'jsonl'}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return StreamingHttpResponse(lines, content_type=_TYPES[asked.format], headers=headers)

    @extend_schema(
        operation_id="import",
        summary="Bring an export into a project; what is there stays as it is, and the same file may be sent again.",
        request={JSON_LINES: OpenApiTypes.BYTE},
        responses={(200, "application/json"): shapes.ImportReport} | problem_responses(),
        parameters=parameters_of(shapes.ImportInputs),
        tags=["transfer"],
    )
    def bring_in(self, request: Request) -> Response:
        """Answer what became of the lines."""
        asked = asked_in(request, shapes.ImportInputs)
        stream: Any = request.data  # the body itself, unread
        report = bring_in(caller_of(request), stream, asked, now=timezone.now())
        if report.stopped_at is None:
            return Response(report)
        raise Unprocessable(
            f"Line {report.stopped_at.line}: {report.stopped_at.detail}",
            field=report.stopped_at.field,
            hint="What stands before that line is in. Mend it and send the whole file again.",
            data={"line": report.stopped_at.line, "report": report.model_dump(mode="json")},
        )
