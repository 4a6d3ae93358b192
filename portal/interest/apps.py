from django.apps import AppConfig


class InterestConfig(AppConfig):
    name = "portal.interest"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.interest.models import Follower, WatchedWord
        from portal.interest.selectors import unseen_mentions
        from portal.interest.services import register_personal_data
        from portal.look.navigation import register_count
        from portal.tenants.leaving import keep

        register_count("interest", lambda tenant: unseen_mentions())
        register_personal_data()
        # People made them; they are no copy of anything on the platform.
        keep(WatchedWord, Follower)
