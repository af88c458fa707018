"""The addresses under /v1/."""

from django.urls import path

import memory.api.openapi  # noqa: F401 — names the security schemes
from memory.api.governing import CapabilityViewSet, PolicyViewSet
from memory.api.memory import MemoryViewSet
from memory.api.protocol import ProtocolViewSet
from memory.api.records import RecordViewSet
from memory.api.review import ProposalViewSet
from memory.api.verbs import VIEWSETS

urlpatterns = [
    *(path(name, viewset.as_view({"post": "call"}), name=name) for name, viewset in VIEWSETS.items()),
    path("protocol", ProtocolViewSet.as_view({"get": "retrieve"}), name="protocol"),
    path("memory", MemoryViewSet.as_view({"post": "call"}), name="memory"),
    path("records/<str:id>", RecordViewSet.as_view({"get": "retrieve"}), name="record"),
    path("records/<str:id>/restore", RecordViewSet.as_view({"post": "restore"}), name="restore"),
    path("proposals", ProposalViewSet.as_view({"get": "list"}), name="proposals"),
    path("proposals/<str:pid>", ProposalViewSet.as_view({"get": "retrieve"}), name="proposal"),
    path("proposals/<str:pid>/accept", ProposalViewSet.as_view({"post": "accept"}), name="proposal_accept"),
    path("proposals/<str:pid>/merge", ProposalViewSet.as_view({"post": "merge"}), name="proposal_merge"),
    path("proposals/<str:pid>/reject", ProposalViewSet.as_view({"post": "reject"}), name="proposal_reject"),
    path("policy", PolicyViewSet.as_view({"get": "retrieve", "put": "update"}), name="policy"),
    path("policy/dry-run", PolicyViewSet.as_view({"post": "dry_run"}), name="policy_dry_run"),
    path("capabilities", CapabilityViewSet.as_view({"get": "list", "post": "create"}), name="capabilities"),
    path("capabilities/<str:name>", CapabilityViewSet.as_view({"delete": "destroy"}), name="capability"),
]
