from portal.notifications.views.notifications import bell, notifications, open_page, read_all, unread
from portal.notifications.views.preferences import choose, choose_for_team, preferences, quiet, test
from portal.notifications.views.team_channels import channel, new_secret, remove_channel, slack_app, test_channel

__all__ = [
    "bell",
    "channel",
    "choose",
    "choose_for_team",
    "new_secret",
    "notifications",
    "open_page",
    "preferences",
    "quiet",
    "read_all",
    "remove_channel",
    "slack_app",
    "test",
    "test_channel",
    "unread",
]
