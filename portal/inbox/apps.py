from django.apps import AppConfig


class InboxConfig(AppConfig):
    name = "portal.inbox"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.inbox import signals  # noqa: F401 - connects its receivers
