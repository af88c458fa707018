"""The worker role: `celery -A config worker` and `celery -A config beat`."""

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging, worker_init
from kombu.transport.redis import Channel, QoS

from config.starting import begin

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("palimpsest")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


class _Acknowledging(QoS):
    """Lets go of what a lost connection left unacknowledged.

    kombu would acknowledge it, or put it back, over the connection that it no longer has, and the worker would end
    with an AttributeError. There is nothing to save: a message is a doorbell, and the relay rings again.
    """

    def ack(self, delivery_tag: str) -> None:
        """Acknowledge a message, if there still is somebody to tell."""
        if self.channel.connection is not None:
            super().ack(delivery_tag)

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Refuse a message, if there still is somebody to tell."""
        if self.channel.connection is not None:
            super().reject(delivery_tag, requeue=requeue)


Channel.QoS = _Acknowledging
Channel.do_restore = False


@worker_init.connect
def begin_safely(**_: Any) -> None:
    """Refuse to work as a role that sees past the walls: Celery goes on after an Exception, but not after this."""
    try:
        begin()
    except Exception as unsafe:
        raise SystemExit(f"The worker can't start: {type(unsafe).__name__}: {unsafe}") from unsafe


@setup_logging.connect
def leave_logging_alone(**_: Any) -> None:
    """Keep Django's JSON lines: Celery configures logging only while nobody else says that they do."""
