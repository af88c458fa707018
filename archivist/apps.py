from django.apps import AppConfig


class ArchivistConfig(AppConfig):
    """The asynchronous half."""

    name = "archivist"
    default_auto_field = "django.db.models.BigAutoField"
