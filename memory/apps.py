from django.apps import AppConfig


class MemoryConfig(AppConfig):
    """Records and the verbs on them."""

    name = "memory"
    default_auto_field = "django.db.models.BigAutoField"
