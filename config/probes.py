"""/healthz, /readyz and /metrics, for whoever runs the service."""

from collections.abc import Callable, Mapping

import urllib3
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from archivist.metrics import exposition
from orgs.rates import client

_needed = ("database", "migrations")


@csrf_exempt
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Answer that the process is alive; it asks nothing else."""
    return JsonResponse({"status": "ok"})


@csrf_exempt
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Answer how each part is: 503 when one that everything needs is down; degraded ones are named."""
    parts = {name: _ask(question) for name, question in QUESTIONS.items()}
    down = [name for name, well in parts.items() if not well]
    status = "unavailable" if set(down) & set(_needed) else "degraded" if down else "ok"
    answer = {"status": status, "parts": {name: "ok" if well else "down" for name, well in parts.items()}}
    return JsonResponse(answer, status=503 if status == "unavailable" else 200)


@csrf_exempt
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer the metrics in Prometheus' text format."""
    text, content_type = exposition()
    return HttpResponse(text, content_type=content_type)


def _ask(question: Callable[[], bool]) -> bool:
    try:
        return question()
    except Exception:  # noqa: BLE001 — a probe reports; whatever went wrong means "down"
        return False


def _until_yes(question: Callable[[], bool]) -> Callable[[], bool]:
    """Ask no more once the answer was yes."""
    said: list[bool] = []

    def ask() -> bool:
        if not said and question():
            said.append(True)
        return bool(said)

    return ask


def _database() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return bool(cursor.fetchone())


@_until_yes
def _migrations() -> bool:
    """Tables only ever go forward, so once they are up to date, this process need not read its plan again."""
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def _broker() -> bool:
    with client(patience=1) as broker:
        return bool(broker.ping())


def _embedder() -> bool:
    url = settings.EMBEDDINGS_URL.removesuffix("/v1") + "/healthz"
    return urllib3.request("GET", url, timeout=1.0, retries=False).status < 500


QUESTIONS: Mapping[str, Callable[[], bool]] = {
    "database": _database,
    "migrations": _migrations,
    "broker": _broker,
    "embedder": _embedder,
}
