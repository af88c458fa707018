"""The addresses under /v1/ that show the archivist's work."""

from django.urls import path

from archivist.api.decisions import DecisionViewSet

urlpatterns = [path("records/<str:id>/decisions", DecisionViewSet.as_view({"get": "list"}), name="decisions")]
