"""The addresses under /v1/."""

from django.urls import path

import memory.api.openapi  # noqa: F401 — names the security schemes
from memory.api.batches import BatchViewSet
from memory.api.conflicts import ConflictViewSet
from memory.api.governing import CapabilityViewSet, PolicyViewSet
from memory.api.memory import MemoryViewSet
from memory.api.overview import OverviewViewSet
from memory.api.protocol import ProtocolViewSet
from memory.api.records import RecordViewSet
from memory.api.review import ProposalViewSet
from memory.api.transfer import TransferViewSet
from memory.api.verbs import VIEWSETS

urlpatterns = [
    *(path(name, viewset.as_view({"post": "call"}), name=name) for name, viewset in VIEWSETS.items()),
    path("protocol", ProtocolViewSet.as_view({"get": "retrieve"}), name="protocol"),
    path("memory", MemoryViewSet.as_view({"post": "call"}), name="memory"),
    path("remember/batch", BatchViewSet.as_view({"post": "remember"}), name="remember_batch"),
    path("conflicts", ConflictViewSet.as_view({"get": "list"}), name="conflicts"),
    path("conflicts/settle", ConflictViewSet.as_view({"post": "settle"}), name="settle"),
    path("export", TransferViewSet.as_view({"get": "take_out"}), name="export"),
    path("import", TransferViewSet.as_view({"post": "bring_in"}), name="import"),
    path("workspaces", OverviewViewSet.as_view({"get": "workspaces"}), name="workspaces"),
    path("stats", OverviewViewSet.as_view({"get": "stats"}), name="stats"),
    path("records", RecordViewSet.as_view({"get": "list"}), name="records"),
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
    path("records/<str:id>/versions", RecordViewSet.as_view({"get": "versions"}), name="versions"),
    path("records/<str:id>/relations", RecordViewSet.as_view({"get": "relations"}), name="relations"),
    path("records/<str:id>/protect", RecordViewSet.as_view({"post": "protect"}), name="protect"),
    path("records/<str:id>/unprotect", RecordViewSet.as_view({"post": "unprotect"}), name="unprotect"),
    path("records/<str:id>/reinstate", RecordViewSet.as_view({"post": "reinstate"}), name="reinstate"),
]
