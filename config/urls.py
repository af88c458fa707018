"""Every address of the service."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from drf_spectacular.views import SpectacularJSONAPIView, SpectacularSwaggerSplitView

from config import probes
from memory.api.problems import plain_problem
from orgs.web.problems import problem_page, wants_page
from orgs.web.site import site

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
    path("v1/", include("archivist.api.urls")),
    path("", include("memory.mcp.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include("memory.web.urls")),  # before the site, whose own first page is search
    path("", include("orgs.web.urls")),
    path("", site.urls),
]


def handler404(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an unknown address."""
    return _problem(request, status=404)


def handler500(request: HttpRequest) -> HttpResponse:
    """Answer a fault of ours."""
    return _problem(request, status=500)


def handler400(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that Django itself refuses."""
    return _problem(request, status=400)


def _problem(request: HttpRequest, *, status: int) -> HttpResponse:
    return problem_page(request, status=status) if wants_page(request) else plain_problem(request, status=status)
