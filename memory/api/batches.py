"""POST /v1/remember/batch."""

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from memory.api.operations import documented, done
from memory.operations import batches


class BatchViewSet(ViewSet):
    """Many facts in one call."""

    @documented(batches.REMEMBER_BATCH, summary="Save up to a hundred facts; each is answered alone.", tag="records")
    def remember(self, request: Request) -> Response:
        """Answer what became of each."""
        return done(request, batches.remember_all, request.data)
