from django.apps import AppConfig


class FirstHourConfig(AppConfig):
    name = "portal.first_hour"

    def ready(self) -> None:
        from portal.first_hour.models import Dismissal
        from portal.tenants.offboarding import keep_after_purge

        # A person's choice; no copy of anything on the platform.
        keep_after_purge(Dismissal)
