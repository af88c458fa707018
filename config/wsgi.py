"""The web role: gunicorn loads `config.wsgi:application`."""

import os
from collections.abc import Callable, Iterable
from io import BytesIO
from typing import Any

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from config.starting import begin

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]


def measured(inner: Application) -> Application:
    """Say how long a body is that came in chunks: Django reads what is announced, and there nothing is."""

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if environ.get("HTTP_TRANSFER_ENCODING", "").lower() == "chunked" and not environ.get("CONTENT_LENGTH"):
            body = environ["wsgi.input"].read(settings.MAX_BODY_BYTES + 1)
            environ["wsgi.input"], environ["CONTENT_LENGTH"] = BytesIO(body), str(len(body))
        return inner(environ, start_response)

    return answer


application = measured(get_wsgi_application())
begin(serves=True)
