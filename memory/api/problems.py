"""Every expected "no" as application/problem+json (RFC 9457); a fault of ours as the same, without a trace."""

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, JsonResponse
from rest_framework import exceptions
from rest_framework.response import Response

from memory.api.formats import ProblemRenderer
from orgs.authentication import CHALLENGE
from orgs.errors import Invalid, Refusal, TooLarge, Unauthenticated, Unavailable

log = logging.getLogger(__name__)

REQUEST_ID = "palimpsest.request_id"  # where a request keeps its id among its META
_WORDS = {
    400: ("invalid", "The request is not valid."),
    401: ("unauthenticated", "A valid API key is required, as the header Authorization: Bearer KEY."),
    403: ("forbidden", "This is not allowed for you."),
    404: ("unknown", "There is no such thing here."),
    405: ("method_not_allowed", "This address does not take this method; the header Allow names those it takes."),
    406: ("not_acceptable", "Answers are application/json, problems application/problem+json."),
    413: ("too_large", "This is too large."),
    415: ("unsupported_media_type", "A body must be application/json, not compressed."),
    429: ("too_many", "A limit is reached."),
    500: ("fault", "The service made a mistake; nothing was stored."),
}
"""The code and the title of statuses that no refusal of ours stands for."""


def problem(exception: Exception, context: Mapping[str, Any]) -> Response:
    """Return the response for whatever a view raised (Django REST framework's exception handler)."""
    request = context.get("request")
    status, body = told_of(exception, request_id=request.META.get(REQUEST_ID, "") if request else "")
    response = Response(
        body, status=status, content_type=ProblemRenderer.media_type, headers=_headers(status, exception)
    )
    if request is not None:
        request.accepted_renderer, request.accepted_media_type = ProblemRenderer(), ProblemRenderer.media_type
    return response


def told_of(exception: Exception, *, request_id: str) -> tuple[int, dict[str, Any]]:
    """Return the status and the problem that tells of whatever was raised; a fault of ours goes into the log."""
    status, body = _described(_as_refusal(exception) or exception)
    if status >= 500:
        log.error("fault", extra={"fault": type(exception).__name__}, exc_info=_without_values(exception))
    return status, body | {"request_id": request_id}


def plain_problem(request: HttpRequest, exception: Exception | None = None, *, status: int = 404) -> JsonResponse:
    """Return a problem from outside the framework's views: an unknown address, a fault in a middleware."""
    body = _plainly(status) | {"request_id": request.META.get(REQUEST_ID, "")}
    return JsonResponse(body, status=status, content_type=ProblemRenderer.media_type)


def _as_refusal(exception: Exception) -> Refusal | None:
    if isinstance(exception, Refusal):
        return exception
    if isinstance(exception, exceptions.NotAuthenticated | exceptions.AuthenticationFailed):
        return Unauthenticated()
    if isinstance(exception, OperationalError | InterfaceError):
        return Unavailable("The database does not answer; nothing was stored. Try again in a moment.")
    if isinstance(exception, RequestDataTooBig):
        return TooLarge()
    if isinstance(exception, SuspiciousOperation):
        return Invalid()
    return None


def _described(fault: Exception) -> tuple[int, dict[str, Any]]:
    if isinstance(fault, Refusal):
        told = {"detail": fault.detail, "field": fault.field, "hint": fault.hint, **fault.data}
        body = {"type": "about:blank", "title": fault.title, "status": fault.status, "code": fault.code}
        return fault.status, body | {name: value for name, value in told.items() if value is not None}
    status = 404 if isinstance(fault, Http404) else getattr(fault, "status_code", 500)
    return status, _plainly(status)


def _plainly(status: int) -> dict[str, Any]:
    code, title = _WORDS.get(status) or ("refused", HTTPStatus(status).phrase)
    return {"type": "about:blank", "title": title, "status": status, "code": code}


def _headers(status: int, exception: Exception) -> dict[str, str]:
    headers = {}
    if status == 401:
        headers["WWW-Authenticate"] = CHALLENGE
    if status == 503:
        headers["Retry-After"] = "5"
    wait = getattr(exception, "wait", None)
    return headers | ({"Retry-After": str(int(wait))} if wait else {})


def _without_values(exception: Exception) -> tuple[type[Exception], Exception, Any]:
    """Return the exception's place without its message: a database's message may quote a record's text."""
    return type(exception), Exception("…"), exception.__traceback__
