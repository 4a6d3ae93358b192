"""Acme with a Slack app, a stand-in of Slack, and people there who press its buttons."""

import hmac
import json
import time
from collections.abc import Iterator
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode

import pytest
from django.http import HttpResponse
from django.test import Client

from portal.access_requests.models import AccessRequest
from portal.access_requests.work import NAME
from portal.notifications.kinds import ACCESS_REQUESTS
from portal.notifications.models import TeamChannel
from portal.notifications.services import notify, post_due, set_up_app
from portal.slack.services import update_messages
from portal.tenants.models import Membership, Tenant
from portal.users.models import User
from tests.access_requests.conftest import approver, desk, owner, wire
from tests.slack.stand_in import CONVERSATION, TOKEN, StandIn, slack_running
from tests.support.members import find_member

__all__ = ["approver", "desk", "owner", "wire"]

SIGNING_SECRET = "0123456789abcdef0123456789abcdef"
ADDRESS = "/slack/acme/"
ALICE, STRANGER = "U0ALICE", "U0STRANGER"


@pytest.fixture
def slack(settings: Any) -> Iterator[StandIn]:
    with slack_running() as stand_in:
        settings.SLACK_API_URL = stand_in.url
        yield stand_in


@pytest.fixture
def me(alice: User, scoped: Tenant) -> Membership:
    return find_member(user=alice)


@pytest.fixture
def app(slack: StandIn, me: Membership) -> TeamChannel:
    slack.knows(ALICE, me.user.email.upper())
    return set_up_app(name="#trust-desk", token=TOKEN, signing_secret=SIGNING_SECRET, conversation=CONVERSATION, actor=me)


def tell_team(request: AccessRequest, key: str = "one") -> None:
    """Tell the team of a request, and do the worker's part."""
    notify(
        ACCESS_REQUESTS,
        [],
        key=key,
        title=f"Access request: {request}",
        url=lambda slug: f"/t/{slug}/access-requests/",
        about=(NAME, request.pk),
        with_team=True,
    )
    post_due()


def post(
    client: Client, payload: Any, *, secret: str = SIGNING_SECRET, at: float | None = None, **headers: str
) -> HttpResponse:
    """Send what Slack sends when somebody has pressed something, signed as Slack signs."""
    body = urlencode({"payload": json.dumps(payload)})
    timestamp = str(int(time.time() if at is None else at))
    digest = hmac.new(secret.encode(), f"v0:{timestamp}:{body}".encode(), sha256).hexdigest()
    signed = {"X-Slack-Request-Timestamp": timestamp, "X-Slack-Signature": f"v0={digest}"} | headers
    return client.post(ADDRESS, body, content_type="application/x-www-form-urlencoded", headers=signed)


def press(client: Client, slack: StandIn, name: str, *, user: str = ALICE) -> HttpResponse:
    """Press a button of the only message that stands in the channel."""
    [(ts, message)] = slack.messages.items()
    [button] = [each for each in buttons(message) if each["action_id"] == name]
    return post(client, pressed(button, ts, user=user))


def pressed(button: Any, ts: str, *, user: str = ALICE) -> dict[str, Any]:
    return {
        "type": "block_actions",
        "user": {"id": user, "name": "somebody"},
        "trigger_id": "1.2.3",
        "channel": {"id": CONVERSATION},
        "message": {"ts": ts},
        "actions": [{"type": "button", "action_id": button["action_id"], "value": button["value"]}],
    }


def hand_in(client: Client, dialog: Any, *, user: str = ALICE, **changes: Any) -> Any:
    """Hand a dialog in as it opened, but for these fields; return what Slack is told to do."""
    values = {each["block_id"]: {each["element"]["action_id"]: _value(each["element"])} for each in fields(dialog)}
    for name, value in changes.items():
        values[name] = {name: value}
    view = {key: dialog[key] for key in ("callback_id", "private_metadata")} | {"state": {"values": values}}
    answer = post(client, {"type": "view_submission", "user": {"id": user}, "view": view})
    assert answer.status_code == 200, answer.content
    return json.loads(answer.content)


def fields(dialog: Any) -> list[Any]:
    return [each for each in dialog["blocks"] if each["type"] == "input"]


def _value(element: Any) -> dict[str, Any]:
    kind = element["type"]
    match kind:
        case "radio_buttons" | "static_select":
            return {"type": kind, "selected_option": element.get("initial_option")}
        case "checkboxes" | "multi_static_select":
            return {"type": kind, "selected_options": element.get("initial_options", [])}
        case "datepicker":
            return {"type": kind, "selected_date": None}
    return {"type": kind, "value": None}


def text(value: str) -> dict[str, Any]:
    return {"type": "plain_text_input", "value": value}


def buttons(message: Any) -> list[Any]:
    return [each for block in message["blocks"] if block["type"] == "actions" for each in block["elements"]]


def labels(slack: StandIn) -> list[str]:
    """The buttons of the only message in the channel."""
    [message] = slack.messages.values()
    return [each["text"]["text"] for each in buttons(message)]


def shown(slack: StandIn) -> str:
    """All that the only message in the channel says, once it was kept up."""
    update_messages()
    [message] = slack.messages.values()
    return json.dumps(message["blocks"], ensure_ascii=False)
