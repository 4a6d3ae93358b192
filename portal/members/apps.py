from django.apps import AppConfig


class MembersConfig(AppConfig):
    name = "portal.members"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.members import signals  # noqa: F401 - connects its receivers
