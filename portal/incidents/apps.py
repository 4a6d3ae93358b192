from django.apps import AppConfig


class IncidentsConfig(AppConfig):
    name = "portal.incidents"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.accounts.timeline import register_timeline
        from portal.incidents import commented, work
        from portal.incidents.account_facts import INCIDENTS, moments_of
        from portal.incidents.filters import IncidentFilters
        from portal.incidents.models import Draft, DraftTemplate, Incident, LogEntry, Mention, Notice, Responder
        from portal.incidents.search_hits import find_incidents
        from portal.incidents.selectors.pages import open_count
        from portal.incidents.services.mentions import register_personal_data
        from portal.saved_views.lists import register_list
        from portal.tenants.offboarding import keep_after_purge
        from portal.ui.navigation import register_count

        work.register()
        commented.register()
        register_count("incidents", lambda tenant: open_count(), is_urgent=True)
        register_timeline(INCIDENTS, moments_of, title="Incidents", area="incidents")
        register_personal_data()
        # People made them; they are no copy of anything on the platform, and they prove who was told.
        keep_after_purge(Incident, Responder, Notice, Draft, DraftTemplate, LogEntry, Mention)
        register_list(
            "incidents",
            label="Incidents",
            url_name="incidents:list",
            filters=IncidentFilters,
            area="incidents",
            find=find_incidents,
            searched=Incident,
        )
