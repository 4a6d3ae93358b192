from django.apps import AppConfig


class SlackConfig(AppConfig):
    name = "portal.slack"

    def ready(self) -> None:
        # Models can only be imported once every app is there.
        from portal.access_requests.work import NAME
        from portal.notifications.cards import register_card
        from portal.slack.models import DecisionMessage
        from portal.slack.services import post_request
        from portal.tenants.offboarding import keep_after_purge

        register_card(NAME, post_request)
        # They name what to take back in Slack when a request is removed here.
        keep_after_purge(DecisionMessage)
