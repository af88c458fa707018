"""GET /v1/protocol: the declared protocol, for clients."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from memory.protocol.publishing import published


class ProtocolViewSet(ViewSet):
    """Open to everybody: it shows nothing of any organization."""

    authentication_classes = ()
    permission_classes = ()

    @extend_schema(
        operation_id="protocol",
        summary="The declared protocol: verbs, what they need, the shapes they answer.",
        responses={(200, "application/json"): OpenApiTypes.OBJECT},
        tags=["protocol"],
    )
    def retrieve(self, request: Request) -> Response:
        """Answer the declaration."""
        return Response(published())
