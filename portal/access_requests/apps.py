from django.apps import AppConfig


class AccessRequestsConfig(AppConfig):
    name = "portal.access_requests"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.access_requests import (
            account_facts,
            commented,
            copies,
            signals,  # noqa: F401 - connects its receivers
            unmatched_people,
            work,
        )
        from portal.access_requests.documents import known_titles
        from portal.access_requests.filters import RequestFilters
        from portal.access_requests.models import (
            AccessRequest,
            ListedDomain,
            RuleSwitch,
            RuleVersion,
            SensitiveDocument,
            Verb,
            Viewer,
        )
        from portal.access_requests.search_hits import find_requests, find_to_approve, find_viewers
        from portal.access_requests.selectors import waiting_figures
        from portal.access_requests.services import register_personal_data
        from portal.access_requests.services.outcomes import AREA
        from portal.access_requests.viewer_changes import ViewerVerb
        from portal.access_requests.viewer_filters import ViewerFilters
        from portal.access_requests.viewer_review import ReviewFilters
        from portal.accounts.account_facts import REQUESTS, TITLES, VIEWERS, register_account_facts
        from portal.accounts.timeline import register_timeline
        from portal.accounts.unmatched_people import register_people
        from portal.audit.platform_actions import register_platform_actions
        from portal.platform_writes import signals as bulk_signals  # noqa: F401 - connects its receivers
        from portal.saved_views.found import register_command
        from portal.saved_views.lists import register_list
        from portal.tenants.models import Role
        from portal.tenants.offboarding import keep_after_purge
        from portal.trust_center_activity.display_names import register_titles
        from portal.ui.navigation import register_count

        work.register()
        copies.register()
        register_platform_actions(*(f"access_request.{verb}" for verb in Verb.values))
        register_platform_actions(*(f"viewer.{verb}" for verb in ViewerVerb.values))
        commented.register()
        register_count("access_requests", lambda tenant: waiting_figures().number, is_urgent=True)
        register_personal_data()
        # People made them; they are no copy of anything on the platform.
        keep_after_purge(RuleSwitch, RuleVersion, ListedDomain, SensitiveDocument)
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
        register_list(
            "access-requests",
            label="Access requests",
            url_name="access_requests:list",
            filters=RequestFilters,
            area=AREA,
            find=find_requests,
            searched=AccessRequest,
        )
        register_command("approve", icon="check", find=find_to_approve, role=Role.APPROVER)
        register_list(
            "viewers",
            label="Viewers",
            url_name="access_requests:viewers",
            filters=ViewerFilters,
            area=AREA,
            find=find_viewers,
            searched=Viewer,
        )
        register_list(
            "access-review", label="Access review", url_name="access_requests:viewer_review", filters=ReviewFilters, area=AREA
        )
