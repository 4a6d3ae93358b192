from django.apps import AppConfig


class AccessRequestsConfig(AppConfig):
    name = "portal.access_requests"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.access_requests import known, unlinked
        from portal.access_requests.documents import known_titles
        from portal.access_requests.models import ListedDomain, RuleSwitch, RuleVersion, SensitiveDocument
        from portal.access_requests.selectors import waiting_figures
        from portal.access_requests.services import register_personal_data
        from portal.access_requests.services.settling import AREA
        from portal.accounts.known import REQUESTS, TITLES, VIEWERS, register_facts
        from portal.accounts.moments import register_moments
        from portal.accounts.people import register_people
        from portal.interest.naming import register_titles
        from portal.look.navigation import register_count
        from portal.tenants.leaving import keep

        register_count("access_requests", lambda tenant: waiting_figures().number, is_urgent=True)
        register_personal_data()
        # People made them; they are no copy of anything on the platform.
        keep(RuleSwitch, RuleVersion, ListedDomain, SensitiveDocument)
        register_titles(known_titles)
        register_facts(REQUESTS, known.requests_of, area=AREA, place=known.list_of_requests, say=known.say_requests)
        register_facts(VIEWERS, known.viewers_of, area=AREA, place=known.list_of_viewers, say=known.say_viewers)
        register_moments(REQUESTS, known.request_moments, title=TITLES[REQUESTS], area=AREA)
        register_moments(VIEWERS, known.viewer_moments, title=TITLES[VIEWERS], area=AREA)
        register_people(VIEWERS, unlinked.VIEWERS)
        register_people(REQUESTS, unlinked.ASKING)
