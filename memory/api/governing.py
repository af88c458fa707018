"""A project's policy and its capabilities over REST."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from memory.api.addresses import asked_in, parameters_of
from memory.api.asking import caller_of
from memory.api.operations import effected, refuse_body
from memory.api.verbs import IDEMPOTENCY_KEY, problem_responses
from memory.operations import governing, registering
from memory.protocol import shapes
from memory.protocol.operations import OPERATIONS

_PLACE = parameters_of(shapes.PlaceInputs)


def _project(request: Request) -> str | None:
    return asked_in(request, shapes.PlaceInputs).project


class PolicyViewSet(ViewSet):
    """/v1/policy."""

    @extend_schema(
        operation_id="policy",
        summary="Read a project's write policy.",
        responses={(200, "application/json"): shapes.PolicyAnswer} | problem_responses(),
        parameters=_PLACE,
        tags=["policy"],
    )
    def retrieve(self, request: Request) -> Response:
        """Answer the policy in force."""
        return Response(governing.policy_in_force(caller_of(request), project=_project(request)))

    @extend_schema(
        operation_id="policy_set",
        summary="Put a write policy in force in the place of the one before.",
        request={"application/json": shapes.PolicyInputs},
        responses={(200, "application/json"): shapes.PolicyAnswer} | problem_responses(),
        parameters=[*_PLACE, IDEMPOTENCY_KEY],
        tags=["policy"],
    )
    def update(self, request: Request) -> Response:
        """Answer the policy now in force."""
        return effected(request, governing.set_policy, request.data, project=_project(request))

    @extend_schema(
        operation_id="policy_dry_run",
        summary=OPERATIONS["policy_dry_run"],
        request={"application/json": shapes.PolicyInputs},
        responses={(200, "application/json"): shapes.DryRunAnswer} | problem_responses(),
        parameters=_PLACE,
        tags=["policy"],
    )
    def dry_run(self, request: Request) -> Response:
        """Answer what it would have done."""
        return Response(governing.dry_run(caller_of(request), request.data, project=_project(request)))


class CapabilityViewSet(ViewSet):
    """/v1/capabilities."""

    @extend_schema(
        operation_id="capabilities",
        summary="List the capabilities registered for a project.",
        responses={(200, "application/json"): shapes.CapabilitiesAnswer} | problem_responses(),
        parameters=_PLACE,
        tags=["capabilities"],
    )
    def list(self, request: Request) -> Response:
        """Answer them by name."""
        return Response(registering.registered(caller_of(request), project=_project(request)))

    @extend_schema(
        operation_id="capability_register",
        summary="Register a capability, or replace the one of its name.",
        request={"application/json": shapes.CapabilityInputs},
        responses={
            (201, "application/json"): shapes.Capability,
            (200, "application/json"): shapes.Capability,
        }
        | problem_responses(),
        parameters=[*_PLACE, IDEMPOTENCY_KEY],
        tags=["capabilities"],
    )
    def create(self, request: Request) -> Response:
        """Answer the capability."""
        return effected(request, registering.register, request.data, project=_project(request))

    @extend_schema(
        operation_id="capability_withdraw",
        summary=OPERATIONS["capability"],
        responses={(200, "application/json"): shapes.Withdrawn} | problem_responses(),
        parameters=[*_PLACE, IDEMPOTENCY_KEY],
        tags=["capabilities"],
    )
    def destroy(self, request: Request, name: str) -> Response:
        """Answer that it is gone."""
        refuse_body(request)
        return effected(request, registering.withdraw, name, project=_project(request))
