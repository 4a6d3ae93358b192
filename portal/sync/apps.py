from django.apps import AppConfig


class SyncConfig(AppConfig):
    name = "portal.sync"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.sync import signals  # noqa: F401 - connects its receivers
        from portal.sync.selectors import status
        from portal.ui.navigation import register_status

        register_status(status)
