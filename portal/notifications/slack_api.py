"""Slack's Web API, called as the app that a tenant has installed in its workspace."""

import json
from typing import Any
from urllib.parse import urlencode, urljoin

from django.conf import settings

from portal.lib.sealed import Locked
from portal.notifications.http import NotConfirmed, NotTaken, post
from portal.notifications.models import TeamChannel

HOST = "slack.com"
TOKEN = "Slack doesn't accept the bot token. Copy it again from OAuth & Permissions."  # noqa: S105 - a sentence
WORDS = {
    **dict.fromkeys(("invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired"), TOKEN),
    "channel_not_found": "Slack can't find the channel. Check its ID, and invite the app there with /invite.",
    "not_in_channel": "The app isn't in the channel. Invite it there with /invite.",
    "is_archived": "The channel is archived.",
    "missing_scope": "The app lacks a permission. Create it from the manifest, or reinstall it.",
}
OF_MESSAGE = {"invalid_blocks", "invalid_blocks_format", "msg_too_long", "msg_blocks_too_long", "no_text"}


class SlackRefused(NotTaken):
    """Slack answered that it does not do this; `code` is its word for why."""

    def __init__(self, code: str) -> None:
        super().__init__(WORDS.get(code, f"Slack refused it ({code[:60]})."), is_of_message=code in OF_MESSAGE)
        self.code = code


def call(row: TeamChannel, method: str, **arguments: Any) -> dict[str, Any]:
    """Call a method and return what Slack answered. Raises NotTaken, of which SlackRefused is one, and NotConfirmed."""
    try:
        token = row.open("token")
    except Locked:
        raise NotTaken("We can't read the bot token because an encryption key of this portal is missing.") from None
    values = {name: each if isinstance(each, str) else json.dumps(each) for name, each in arguments.items()}
    # Not JSON: some methods read nothing but forms.
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Authorization": f"Bearer {token}"}
    content = post(urljoin(settings.SLACK_API_URL, method), urlencode(values).encode(), headers)
    try:
        answer = json.loads(content)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise NotConfirmed("Slack's answer can't be read.")
    if answer.get("ok") is not True:
        raise SlackRefused(str(answer.get("error")))
    return answer
