"""The web role: gunicorn loads `config.wsgi:application`."""

import os

from django.core.wsgi import get_wsgi_application

from config.starting import begin

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()
begin()
