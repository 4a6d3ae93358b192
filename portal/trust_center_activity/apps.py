from django.apps import AppConfig


class TrustCenterActivityConfig(AppConfig):
    name = "portal.trust_center_activity"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.accounts.timeline import register_timeline
        from portal.saved_views.lists import register_list
        from portal.tenants.offboarding import keep_after_purge
        from portal.trust_center_activity import signals  # noqa: F401 - connects its receivers
        from portal.trust_center_activity.account_facts import activity_timeline, conversation_timeline
        from portal.trust_center_activity.filters import ActivityFilters, ConversationFilters
        from portal.trust_center_activity.models import AREA, Conversation, Follower, WatchedWord
        from portal.trust_center_activity.search_hits import find_conversations
        from portal.trust_center_activity.selectors import unseen_mentions
        from portal.trust_center_activity.services import register_personal_data
        from portal.ui.navigation import register_count

        register_count("trust_center_activity", lambda tenant: unseen_mentions())
        register_personal_data()
        register_timeline("activity", activity_timeline, title="Trust Center activity", area=AREA)
        register_timeline("conversations", conversation_timeline, title="Chatbot", area=AREA)
        # People made them; they are no copy of anything on the platform.
        keep_after_purge(WatchedWord, Follower)
        register_list(
            "activity",
            label="Trust Center activity",
            url_name="trust_center_activity:activity",
            filters=ActivityFilters,
            area="trust_center_activity",
        )
        register_list(
            "conversations",
            label="Conversations",
            url_name="trust_center_activity:conversations",
            filters=ConversationFilters,
            area="trust_center_activity",
            find=find_conversations,
            searched=Conversation,
        )
