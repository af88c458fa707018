"""The review queue over REST."""

from collections.abc import Callable
from typing import TypeVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from memory.api.addresses import asked_in, id_in, parameters_of
from memory.api.asking import caller_of
from memory.api.operations import done
from memory.api.verbs import IDEMPOTENCY_KEY, problem_responses, refuse_address_parameters
from memory.protocol import shapes
from memory.protocol.operations import OPERATIONS
from memory.review import deciding, waiting

_Action = TypeVar("_Action", bound=Callable[..., Response])


def _decision(name: str, inputs: type[shapes.Inputs]) -> Callable[[_Action], _Action]:
    described: Callable[[_Action], _Action] = extend_schema(
        operation_id=name,
        summary=OPERATIONS[name],
        request={"application/json": inputs},
        responses={(200, "application/json"): shapes.Decided} | problem_responses(409),
        parameters=[IDEMPOTENCY_KEY],
        tags=["review"],
    )
    return described


class ProposalViewSet(ViewSet):
    """/v1/proposals."""

    @extend_schema(
        operation_id="proposals",
        summary=OPERATIONS["proposals"],
        responses={(200, "application/json"): shapes.ProposalsAnswer} | problem_responses(),
        parameters=parameters_of(shapes.ProposalsInputs),
        tags=["review"],
    )
    def list(self, request: Request) -> Response:
        """Answer a page of proposals."""
        asked = asked_in(request, shapes.ProposalsInputs)
        return Response(waiting.listed(caller_of(request), asked))

    @extend_schema(
        operation_id="proposal",
        summary=OPERATIONS["proposal"],
        responses={(200, "application/json"): shapes.Proposal} | problem_responses(),
        tags=["review"],
    )
    def retrieve(self, request: Request, pid: str) -> Response:
        """Answer one proposal."""
        refuse_address_parameters(request)
        return Response(waiting.one_proposal(caller_of(request), id_in(pid, what="proposal")))

    @_decision("proposal_accept", shapes.AcceptInputs)
    def accept(self, request: Request, pid: str) -> Response:
        """Answer that it is a record."""
        return done(request, deciding.accept, id_in(pid, what="proposal"), request.data)

    @_decision("proposal_merge", shapes.MergeInputs)
    def merge(self, request: Request, pid: str) -> Response:
        """Answer into what it was merged."""
        return done(request, deciding.merge, id_in(pid, what="proposal"), request.data)

    @_decision("proposal_reject", shapes.RejectInputs)
    def reject(self, request: Request, pid: str) -> Response:
        """Answer that it is refused."""
        return done(request, deciding.reject, id_in(pid, what="proposal"), request.data)
