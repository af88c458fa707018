"""What is not HTTP never reaches the application: it is refused here, in the form in which all else is refused."""

import json
from http import HTTPStatus
from typing import Any

from gunicorn.http import errors
from gunicorn.util import write_nonblock
from gunicorn.workers.gthread import ThreadWorker

_STATUSES = {
    errors.LimitRequestLine: 414,
    errors.LimitRequestHeaders: 431,
    errors.ExpectationFailed: 417,
    errors.UnsupportedTransferCoding: 501,
    errors.InvalidResponseHeader: 500,
    errors.InvalidResponseHeaderName: 500,
}
_CODES = {414: "too_large", 431: "too_large", 500: "fault"}


class PlainlyRefusing(ThreadWorker):  # type: ignore[misc]
    """Answers with a problem (RFC 9457) and not with a page, and logs no header or address: they may hold a key."""

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Any) -> None:
        """This will refuse one request and leave the connection to be closed."""
        status = _STATUSES.get(type(exc), 400 if isinstance(exc, errors.ParseException) else 500)
        self.log.warning("request refused: %s", type(exc).__name__)
        phrase = HTTPStatus(status).phrase
        problem = {"type": "about:blank", "title": phrase, "status": status, "code": _CODES.get(status, "invalid")}
        body = json.dumps(problem).encode()
        head = (
            f"HTTP/1.1 {status} {phrase}\r\nConnection: close\r\nContent-Type: application/problem+json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        try:
            write_nonblock(client, head.encode() + body)
        except OSError:
            self.log.debug("nobody waits for the refusal any more")
