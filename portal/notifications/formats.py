"""What a message looks like where it arrives: Slack's blocks, Teams' adaptive cards, and signed JSON (Standard Webhooks).

Names of customers and of people stand in it, so none of these forms lets a text be markup: it is text runs throughout.
"""

import base64
import hmac
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from portal.notifications.kinds import Channel

PREFIX = "whsec_"
SECRET_BYTES = 32


@dataclass(frozen=True, kw_only=True)
class Message:
    """One notification as it leaves. `key` stays the same when it is sent again."""

    key: str
    kind: str
    title: str
    text: str
    url: str
    made_at: datetime


def payload_of(channel: Channel, tenant: str, messages: Sequence[Message]) -> dict[str, Any]:
    """Return the JSON that a channel takes; a webhook takes one message each time."""
    if channel == Channel.SLACK:
        return _slack(tenant, messages)
    if channel == Channel.TEAMS:
        return _teams(tenant, messages)
    [message] = messages
    return _webhook(tenant, message)


def _slack(tenant: str, messages: Sequence[Message]) -> dict[str, Any]:
    lines = [slack_headline(message.title, message.url, message.text) for message in messages]
    foot = {"type": "context", "elements": [{"type": "plain_text", "text": tenant, "emoji": False}]}
    first = slack_markup(messages[0].title)
    fallback = first if len(messages) == 1 else f"{first}, and {len(messages) - 1} more"
    return {"text": fallback, "mrkdwn": False, "blocks": [*lines, foot], "unfurl_links": False}


def slack_headline(title: str, url: str, text: str) -> dict[str, Any]:
    """Return a block of a title that is a link, and lines of text below it."""
    words: list[dict[str, Any]] = [{"type": "link", "url": url, "text": title, "style": {"bold": True}}]
    if text:
        words.append({"type": "text", "text": f"\n{text}"})
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": words}]}


def slack_markup(text: str) -> str:
    """Escape the one text of a message that is markup: what lock screens show and what is read aloud."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _teams(tenant: str, messages: Sequence[Message]) -> dict[str, Any]:
    body: list[dict[str, Any]] = []
    for number, message in enumerate(messages):
        action = {"type": "Action.OpenUrl", "url": message.url}
        title = {"type": "TextRun", "text": message.title, "weight": "Bolder", "selectAction": action}
        body.append({"type": "RichTextBlock", "inlines": [title], "separator": number > 0})
        if message.text:
            body.append({"type": "RichTextBlock", "inlines": [{"type": "TextRun", "text": message.text}], "spacing": "None"})
    body.append({"type": "RichTextBlock", "inlines": [{"type": "TextRun", "text": tenant, "isSubtle": True, "size": "Small"}]})
    card = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "body": body,
    }
    content_type = "application/vnd.microsoft.card.adaptive"
    return {"type": "message", "attachments": [{"contentType": content_type, "content": card}]}


def _webhook(tenant: str, message: Message) -> dict[str, Any]:
    return {
        "type": f"notification.{message.kind}",
        "timestamp": message.made_at.isoformat(),
        "data": {"tenant": tenant, "title": message.title, "text": message.text, "url": message.url},
    }


def new_secret() -> str:
    """Make a secret that a webhook is signed with."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def signature_headers(body: bytes, *, secret: str, key: str, timestamp: int) -> Mapping[str, str]:
    """Return the headers by which the receiver knows that a webhook is ours, and whether it came before."""
    signed = f"{key}.{timestamp}.".encode() + body
    digest = hmac.new(base64.b64decode(secret.removeprefix(PREFIX)), signed, sha256).digest()
    signature = f"v1,{base64.b64encode(digest).decode()}"
    return {"webhook-id": key, "webhook-timestamp": str(timestamp), "webhook-signature": signature}
