"""What surrounds every request: its id, one spelling of its address, one log line."""

import logging
import re
import time
from collections.abc import Callable
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse

from config.logging import context
from memory.api.asking import CALLED
from memory.api.problems import REQUEST_ID, plain_problem
from memory.redaction import redact
from orgs.audit import coming_from
from orgs.authentication import CALLER, RATES
from orgs.rates import MINUTE
from orgs.web.problems import MACHINES

log = logging.getLogger("palimpsest.requests")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
_PROBES = {"healthz", "readyz", "metrics"}  # asked every few seconds; that all is well is no news


class RequestLog:
    """Gives a request its id, answers faults as problems, and writes one line when it is over."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on and tell how it ended."""
        request_id = _request_id(request.headers.get("X-Request-Id", ""))
        request.META[REQUEST_ID] = request_id
        if request.path_info.startswith("/v1/"):
            request.path_info = request.path_info.rstrip("/")  # a redirect would lose a POST's body
        token = context.set({"request_id": request_id})
        started = time.perf_counter()
        try:
            with coming_from(request_id=request_id, address=request.META.get("REMOTE_ADDR", "")):
                response = self.get_response(request)
            response = _for_machines(request, response)
            response["X-Request-Id"] = request_id
            _tell_rates(request, response)
            self._tell(request, response, milliseconds=(time.perf_counter() - started) * 1000)
            return response
        finally:
            context.reset(token)

    def _tell(self, request: HttpRequest, response: HttpResponse, *, milliseconds: float) -> None:
        match = request.resolver_match
        caller = request.META.get(CALLER)
        said = {
            "route": match.route if match else "unknown",
            "verb": match.view_name if match else None,
            "status": response.status_code,
            "milliseconds": round(milliseconds, 1),
        }
        who: dict[str, UUID | None] = {"organization": caller.organization_id, "key": caller.key_id} if caller else {}
        no_news = said["verb"] in _PROBES and response.status_code == 200
        level = logging.DEBUG if no_news else logging.INFO
        log.log(level, "request", extra={**said, **request.META.get(CALLED, {}), **who})


def _tell_rates(request: HttpRequest, response: HttpResponse) -> None:
    """Say in the standard headers what the limits are and what is left of them, where there are limits."""
    if rates := request.META.get(RATES):
        response["RateLimit-Policy"] = ", ".join(f'"{rate.of}";q={rate.limit};w={MINUTE}' for rate in rates)
        response["RateLimit"] = ", ".join(f'"{rate.of}";r={max(rate.left, 0)};t={rate.wait}' for rate in rates)


def _request_id(given: str) -> str:
    """Take over the client's id if it is a plain word and no secret: it goes into the log and the audit."""
    return given if _REQUEST_ID.fullmatch(given) and not redact(given).findings else str(uuid4())


def _for_machines(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Put a problem in the place of an error page, and keep answers out of caches on the way."""
    if not request.path_info.startswith(MACHINES):
        return response
    if response.status_code >= 400 and response.get("Content-Type", "").startswith("text/html"):
        problem = plain_problem(request, status=response.status_code)
        for name in ("Allow", "Retry-After"):
            if name in response:
                problem[name] = response[name]
        response = problem
    response.setdefault("Cache-Control", "no-store")
    return response
