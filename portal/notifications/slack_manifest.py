"""What an app in Slack has to be allowed, as Slack's form for new apps takes it."""

import json
from urllib.parse import urlencode

NEW_APP = "https://api.slack.com/apps"
NAME = "Trust portal"
SCOPES = ("chat:write", "users:read", "users:read.email")
"""Post and change messages; see by their email address who pressed a button."""


def create_url(interaction_url: str) -> str:
    """Return the address of Slack's page that creates the app of a tenant, filled in."""
    manifest = {
        "display_information": {"name": NAME},
        "features": {"bot_user": {"display_name": NAME}},
        "oauth_config": {"scopes": {"bot": SCOPES}},
        "settings": {"interactivity": {"is_enabled": True, "request_url": interaction_url}},
    }
    return f"{NEW_APP}?{urlencode({'new_app': 1, 'manifest_json': json.dumps(manifest)})}"
