"""The worker role: `celery -A config worker` and `celery -A config beat`."""

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging, worker_init
from kombu.transport.redis import Channel

from config.starting import begin

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("palimpsest")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

# When a connection is lost, kombu would put back what was not acknowledged, over the connection that it no longer has,
# and the worker would end. There is nothing to put back: a message is a doorbell, and the relay rings again.
Channel.do_restore = False


@worker_init.connect
def begin_safely(**_: Any) -> None:
    """Refuse to work as a role that sees past the walls."""
    try:
        begin()
    except Exception as unsafe:
        raise SystemExit(f"The worker can't start: {type(unsafe).__name__}: {unsafe}") from unsafe


@setup_logging.connect
def leave_logging_alone(**_: Any) -> None:
    """Keep Django's JSON lines: Celery configures logging only while nobody else says that they do."""
