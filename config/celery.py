"""The worker role: `celery -A config worker` and `celery -A config beat`."""

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging
from kombu.transport.redis import Channel

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("palimpsest")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

# When a connection is lost, kombu would put back what was not acknowledged, over the connection that it no longer has,
# and the worker would end. There is nothing to put back: a message is a doorbell, and the relay rings again.
Channel.do_restore = False


@setup_logging.connect
def leave_logging_alone(**_: Any) -> None:
    """Keep Django's JSON lines: Celery configures logging only while nobody else says that they do."""
