"""The asynchronous role: an ASGI server loads `config.asgi:application`."""

import os

from django.core.asgi import get_asgi_application

from config.starting import begin

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_asgi_application()
begin(serves=True)
