from django.apps import AppConfig


class CommitmentsConfig(AppConfig):
    name = "portal.commitments"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.accounts.known import COMMITMENTS, register_facts
        from portal.accounts.moments import register_moments
        from portal.commitments import signals  # noqa: F401 - connects its receivers
        from portal.commitments.known import commitments_of, list_of, moments_of
        from portal.commitments.models import Commitment, Standard
        from portal.commitments.selectors import AREA, open_suggestions
        from portal.commitments.services.erasing import register_personal_data
        from portal.look.navigation import register_count
        from portal.tenants.leaving import keep

        register_count("commitments", lambda tenant: open_suggestions())
        register_facts(COMMITMENTS, commitments_of, area=AREA, place=list_of)
        register_moments(COMMITMENTS, moments_of, title="Commitments", area=AREA)
        register_personal_data()
        # People made them. What quotes a contract or an answer goes with the copy that it quotes.
        keep(Commitment, Standard)
