from django.apps import AppConfig


class LookConfig(AppConfig):
    name = "portal.ui"
