"""Every address of the service."""

from django.http import HttpRequest, JsonResponse
from django.urls import include, path
from drf_spectacular.views import SpectacularJSONAPIView, SpectacularSwaggerSplitView

from config import probes
from memory.api.problems import plain_problem

urlpatterns = [
    path("healthz", probes.healthz, name="healthz"),
    path("readyz", probes.readyz, name="readyz"),
    path("metrics", probes.metrics, name="metrics"),
    path(
        "v1/openapi.json",
        SpectacularJSONAPIView.as_view(authentication_classes=[], permission_classes=[]),
        name="openapi",
    ),
    path(
        "v1/docs",
        SpectacularSwaggerSplitView.as_view(url_name="openapi", authentication_classes=[], permission_classes=[]),
        name="docs",
    ),
    path("v1/", include("memory.api.urls")),
]


def handler404(request: HttpRequest, exception: Exception) -> JsonResponse:
    """Answer an unknown address."""
    return plain_problem(request, status=404)


def handler500(request: HttpRequest) -> JsonResponse:
    """Answer a fault of ours."""
    return plain_problem(request, status=500)


def handler400(request: HttpRequest, exception: Exception) -> JsonResponse:
    """Answer a request that Django itself refuses."""
    return plain_problem(request, status=400)
