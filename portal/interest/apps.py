from django.apps import AppConfig


class InterestConfig(AppConfig):
    name = "portal.interest"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.accounts.moments import register_moments
        from portal.interest.known import activity_moments, conversation_moments
        from portal.interest.models import AREA, Follower, WatchedWord
        from portal.interest.selectors import unseen_mentions
        from portal.interest.services import register_personal_data
        from portal.look.navigation import register_count
        from portal.tenants.leaving import keep

        register_count("interest", lambda tenant: unseen_mentions())
        register_personal_data()
        register_moments("activity", activity_moments, title="Trust Center activity", area=AREA)
        register_moments("conversations", conversation_moments, title="Chatbot", area=AREA)
        # People made them; they are no copy of anything on the platform.
        keep(WatchedWord, Follower)
