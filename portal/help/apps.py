from django.apps import AppConfig


class HelpConfig(AppConfig):
    name = "portal.help"
