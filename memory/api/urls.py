"""The addresses under /v1/."""

from django.urls import path

import memory.api.openapi  # noqa: F401 — names the security schemes
from memory.api.memory import MemoryViewSet
from memory.api.protocol import ProtocolViewSet
from memory.api.records import RecordViewSet
from memory.api.verbs import VIEWSETS

urlpatterns = [
    *(path(name, viewset.as_view({"post": "call"}), name=name) for name, viewset in VIEWSETS.items()),
    path("protocol", ProtocolViewSet.as_view({"get": "retrieve"}), name="protocol"),
    path("memory", MemoryViewSet.as_view({"post": "call"}), name="memory"),
    path("records/<str:id>", RecordViewSet.as_view({"get": "retrieve"}), name="record"),
    path("records/<str:id>/restore", RecordViewSet.as_view({"post": "restore"}), name="restore"),
]
