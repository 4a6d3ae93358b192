from django.apps import AppConfig


class EventLogConfig(AppConfig):
    name = "portal.event_log"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.event_log.filters import LogFilters
        from portal.event_log.models import AREA
        from portal.saved_views.lists import register_list
        from portal.tenants.models import Role

        register_list("event-log", label="Event log", url_name="event_log:log", filters=LogFilters, area=AREA, role=Role.ADMIN)
