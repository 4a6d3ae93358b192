"""What happens when somebody presses a button in Slack, and how its messages are kept up to date."""

from portal.slack.services.decisions import press, submit
from portal.slack.services.messages import UPDATE_MESSAGES, post_request, tenants_with_outdated_messages, update_messages
from portal.slack.services.people import NotAllowed

__all__ = [
    "UPDATE_MESSAGES",
    "NotAllowed",
    "post_request",
    "press",
    "submit",
    "tenants_with_outdated_messages",
    "update_messages",
]
