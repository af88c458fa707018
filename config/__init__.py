"""The composition root: settings, addresses, roles. Nothing imports it but the command line and the servers."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
