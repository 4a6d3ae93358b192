from django.apps import AppConfig


class CalendarsConfig(AppConfig):
    name = "portal.calendars"

    def ready(self) -> None:
        from portal.calendars import copies
        from portal.calendars.models import Holiday, OfficeHours
        from portal.tenants.offboarding import keep_after_purge

        # People made them; they are no copy of anything on the platform.
        keep_after_purge(OfficeHours, Holiday)
        copies.register()
