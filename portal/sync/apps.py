from django.apps import AppConfig


class SyncConfig(AppConfig):
    name = "portal.sync"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.look.navigation import register_status
        from portal.sync.selectors import status

        register_status(status)
