from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig


class UiConfig(AppConfig):
    name = "portal.ui"
    default = True


class StaticFiles(StaticFilesConfig):
    """What `collectstatic` leaves out: htmx is in our script, and compressing what nobody asks for takes seconds."""

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "django_htmx"]
