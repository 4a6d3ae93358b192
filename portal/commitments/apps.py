from django.apps import AppConfig


class CommitmentsConfig(AppConfig):
    name = "portal.commitments"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.accounts.account_facts import COMMITMENTS, register_account_facts
        from portal.accounts.timeline import register_timeline
        from portal.commitments import signals, work  # noqa: F401 - the signals connect their receivers
        from portal.commitments.account_facts import commitments_of, list_of, moments_of
        from portal.commitments.filters import MatrixFilters, RegisterFilters, SuggestionFilters
        from portal.commitments.models import Commitment, Standard
        from portal.commitments.search_hits import find_commitments
        from portal.commitments.selectors import AREA, open_suggestions
        from portal.commitments.services.erasure import register_personal_data
        from portal.saved_views.lists import register_list
        from portal.tenants.offboarding import keep_after_purge
        from portal.ui.navigation import register_count

        work.register()
        register_count("commitments", lambda tenant: open_suggestions())
        register_account_facts(COMMITMENTS, commitments_of, area=AREA, list_url=list_of)
        register_timeline(COMMITMENTS, moments_of, title="Commitments", area=AREA)
        register_personal_data()
        # People made them. What quotes a contract or an answer goes with the copy that it quotes.
        keep_after_purge(Commitment, Standard)
        register_list(
            "commitments",
            label="Commitments by customer",
            url_name="commitments:matrix",
            filters=MatrixFilters,
            area="commitments",
        )
        register_list(
            "register",
            label="Commitment register",
            url_name="commitments:register",
            filters=RegisterFilters,
            area="commitments",
            find=find_commitments,
            searched=Commitment,
        )
        register_list(
            "suggestions",
            label="Suggested commitments",
            url_name="commitments:suggestions",
            filters=SuggestionFilters,
            area="commitments",
        )
