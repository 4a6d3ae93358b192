from django.apps import AppConfig


class IncidentsConfig(AppConfig):
    name = "portal.incidents"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.accounts.timeline import register_timeline
        from portal.incidents.account_facts import INCIDENTS, moments_of
        from portal.incidents.models import Draft, DraftTemplate, Incident, LogEntry, Mention, Notice, Responder
        from portal.incidents.selectors.pages import open_count
        from portal.incidents.services.mentions import register_personal_data
        from portal.tenants.leaving import keep
        from portal.ui.navigation import register_count

        register_count("incidents", lambda tenant: open_count(), is_urgent=True)
        register_timeline(INCIDENTS, moments_of, title="Incidents", area="incidents")
        register_personal_data()
        # People made them; they are no copy of anything on the platform, and they prove who was told.
        keep(Incident, Responder, Notice, Draft, DraftTemplate, LogEntry, Mention)
