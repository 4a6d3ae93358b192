"""What may be done with notifications. Other rooms call `notify` and `notify_once`, and nothing else."""

from portal.notifications.services.dispatches import forget_old
from portal.notifications.services.due_work import tell_of_due_work
from portal.notifications.services.emails import NotDelivered, deliver_due, send_test
from portal.notifications.services.notifications import notify, notify_once
from portal.notifications.services.posts import post_due
from portal.notifications.services.preferences import NotOffered, set_preference, set_quiet, set_team_preference
from portal.notifications.services.read_state import mark_all_read, mark_read, mark_unread
from portal.notifications.services.team_channels import (
    NotAnAddress,
    remove,
    replace_secret,
    send_test_message,
    set_up,
    set_up_app,
)

__all__ = [
    "NotAnAddress",
    "NotDelivered",
    "NotOffered",
    "deliver_due",
    "forget_old",
    "mark_all_read",
    "mark_read",
    "mark_unread",
    "notify",
    "notify_once",
    "post_due",
    "remove",
    "replace_secret",
    "send_test",
    "send_test_message",
    "set_preference",
    "set_quiet",
    "set_team_preference",
    "set_up",
    "set_up_app",
    "tell_of_due_work",
]
