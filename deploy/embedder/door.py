"""The HTTP side, as a WSGI application: `POST /v1/embeddings`, `GET /v1/models`, `GET /healthz`."""

import base64
import json
import logging
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

import numpy as np

from deploy.embedder.asked import LARGEST_BODY, Asked, Refused, read
from deploy.embedder.desk import Desk
from deploy.embedder.models import Models, Vectors

Answer = dict[str, Any]
LETTERS_PER_TOKEN = 4  # an estimate: `usage` is asked for by clients and charged to nobody


class Door:
    """One desk behind a few addresses."""

    def __init__(self, models: Models) -> None:
        self._desk = Desk(models)
        self._routes: dict[str, tuple[str, Callable[[WSGIEnvironment], Answer] | None]] = {
            "/v1/embeddings": ("POST", self._embeddings),
            "/v1/models": ("GET", self._models),
            "/healthz": ("GET", lambda _: {"status": "ok"}),
        }

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        status, answer = self._answered(environ)
        body = json.dumps(answer, separators=(",", ":")).encode()
        headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
        if status is HTTPStatus.SERVICE_UNAVAILABLE:
            headers.append(("Retry-After", "1"))
        start_response(f"{status.value} {status.phrase}", headers)
        return [body]

    def _answered(self, environ: WSGIEnvironment) -> tuple[HTTPStatus, Answer]:
        try:
            return HTTPStatus.OK, self._route(environ)(environ)
        except Refused as refused:
            return refused.status, refused.body
        except Exception:
            logging.getLogger(__name__).exception("a request failed")
            failed = Refused("the embedder failed", code="internal_error", status=HTTPStatus.INTERNAL_SERVER_ERROR)
            return failed.status, failed.body

    def _route(self, environ: WSGIEnvironment) -> Callable[[WSGIEnvironment], Answer]:
        method, route = self._routes.get(environ["PATH_INFO"], ("", None))
        if route is None:
            raise Refused("there is nothing at this address", code="not_found", status=HTTPStatus.NOT_FOUND)
        if environ["REQUEST_METHOD"] != method:
            message = f"only {method} is understood here"
            raise Refused(message, code="method_not_allowed", status=HTTPStatus.METHOD_NOT_ALLOWED)
        return route

    def _models(self, _: WSGIEnvironment) -> Answer:
        owned = {"object": "model", "created": 0, "owned_by": "palimpsest"}
        return {"object": "list", "data": [{"id": name, **owned} for name in self._desk.models.names]}

    def _embeddings(self, environ: WSGIEnvironment) -> Answer:
        asked = read(_body(environ), models=self._desk.models)
        tokens = sum(1 + len(text) // LETTERS_PER_TOKEN for text in asked.texts)
        return {
            "object": "list",
            "model": asked.model,
            "data": _listed(self._desk.answer(asked), asked),
            "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
        }


def _body(environ: WSGIEnvironment) -> bytes:
    """This will read one byte more than allowed at most, whatever length was announced."""
    body = environ["wsgi.input"].read(LARGEST_BODY + 1)
    if len(body) > LARGEST_BODY:
        message = f"the body may have {LARGEST_BODY} bytes at most"
        raise Refused(message, code="body_too_large", status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    return bytes(body)


def _listed(vectors: Vectors, asked: Asked) -> list[Answer]:
    little_endian = np.ascontiguousarray(vectors, "<f4")
    written = [
        base64.b64encode(vector.tobytes()).decode() if asked.in_base64 else vector.tolist() for vector in little_endian
    ]
    return [{"object": "embedding", "index": place, "embedding": value} for place, value in enumerate(written)]
