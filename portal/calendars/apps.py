from django.apps import AppConfig


class CalendarsConfig(AppConfig):
    name = "portal.calendars"

    def ready(self) -> None:
        from portal.calendars import copies
        from portal.calendars.models import Holiday, OfficeHours
        from portal.tenants.leaving import keep

        # People made them; they are no copy of anything on the platform.
        keep(OfficeHours, Holiday)
        copies.register()
