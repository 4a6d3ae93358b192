from django.apps import AppConfig


class AccessRequestsConfig(AppConfig):
    name = "portal.access_requests"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.access_requests import account_facts, unmatched_people
        from portal.access_requests.documents import known_titles
        from portal.access_requests.models import ListedDomain, RuleSwitch, RuleVersion, SensitiveDocument
        from portal.access_requests.selectors import waiting_figures
        from portal.access_requests.services import register_personal_data
        from portal.access_requests.services.outcomes import AREA
        from portal.accounts.account_facts import REQUESTS, TITLES, VIEWERS, register_account_facts
        from portal.accounts.timeline import register_timeline
        from portal.accounts.unmatched_people import register_people
        from portal.tenants.leaving import keep
        from portal.trust_center_activity.naming import register_titles
        from portal.ui.navigation import register_count

        register_count("access_requests", lambda tenant: waiting_figures().number, is_urgent=True)
        register_personal_data()
        # People made them; they are no copy of anything on the platform.
        keep(RuleSwitch, RuleVersion, ListedDomain, SensitiveDocument)
        register_titles(known_titles)
        register_account_facts(
            REQUESTS,
            account_facts.requests_of,
            area=AREA,
            list_url=account_facts.list_of_requests,
            describe=account_facts.describe_requests,
        )
        register_account_facts(
            VIEWERS,
            account_facts.viewers_of,
            area=AREA,
            list_url=account_facts.list_of_viewers,
            describe=account_facts.describe_viewers,
        )
        register_timeline(REQUESTS, account_facts.request_timeline, title=TITLES[REQUESTS], area=AREA)
        register_timeline(VIEWERS, account_facts.viewer_timeline, title=TITLES[VIEWERS], area=AREA)
        register_people(VIEWERS, unmatched_people.VIEWERS)
        register_people(REQUESTS, unmatched_people.ASKING)
