"""What happens when somebody presses a button in Slack, and how its messages are kept up to date."""

from portal.slack.services.decisions import press, submit
from portal.slack.services.messages import KEEP_UP, keep_up, post_request, tenants_to_keep_up
from portal.slack.services.people import NotAllowed

__all__ = ["KEEP_UP", "NotAllowed", "keep_up", "post_request", "press", "submit", "tenants_to_keep_up"]
