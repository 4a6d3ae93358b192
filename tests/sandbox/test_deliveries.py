"""Specification 6, platform-api 3: what reaches a webhook endpoint, when, and how often."""

import json
import time
from typing import Any

import pytest
import requests
from standardwebhooks.webhooks import Webhook

from portal.sandbox.webhooks.catalogue import EVENT_TYPES, EXAMPLES
from portal.sandbox.webhooks.signing import sign
from tests.sandbox.platform import Platform

RETRIES = (5, 5 * 60, 30 * 60, 2 * 3600, 8 * 3600, 24 * 3600, 48 * 3600)
STATUS_CHANGED = "v1.questionnaire.status-changed"


def mapped(request: requests.PreparedRequest) -> dict[str, str]:
    """Rename the headers for the official library."""
    names = ("id", "timestamp", "signature")
    return {f"webhook-{name}": str(request.headers[f"hook-{name}"]) for name in names}


def test_the_signature_of_the_published_vector() -> None:
    signature = sign(
        b'{"questionnaire":{"id":"65a000000000000000000001","status":"IN_REVIEW"}}',
        secret="whsec_c2FuZGJveC1zaWduaW5nLWtleS0wMTIzNDU2Nzg5YWI=",
        hook_id="msg_0000000001",
        timestamp=1767225600,
    )
    assert signature == "v1,Lr5DiuLtxxE7ptUU4/0KCPJOU65IWr1LFCodHdrXwbM="


@pytest.mark.parametrize("event_type", EVENT_TYPES)
def test_the_official_library_accepts_every_event(platform: Platform, event_type: str) -> None:
    endpoint = platform.listen()
    hook_id = platform.fire(event_type)
    platform.sandbox.clock.advance(400_000)  # the receiver's clock does not follow the sandbox's
    while platform.sandbox.pump.deliver_next():
        pass
    request = next(found for found in platform.receiver.received if found.headers["hook-id"] == hook_id)
    payload = Webhook(endpoint["secret"]).verify(request.body, mapped(request))
    assert set(payload) == set(EXAMPLES[event_type])
    assert "type" not in payload
    assert request.method == "POST"
    assert request.headers["Content-Type"] == "application/json"
    assert abs(int(request.headers["hook-timestamp"]) - time.time()) < 5
    assert not {name for name in request.headers if name.lower().startswith("hook-")} - {
        "hook-id",
        "hook-timestamp",
        "hook-signature",
    }


def test_a_receiver_has_15_seconds_and_redirects_are_not_followed(platform: Platform) -> None:
    endpoint = platform.listen()
    platform.receiver.statuses = [302]
    platform.fire()
    assert platform.sandbox.deliver_due() == 1
    assert platform.receiver.options[0]["timeout"] == (5, 15)
    assert len(platform.receiver.received) == 1
    assert platform.history(endpoint)[0]["state"] == "pending"


def test_nothing_is_delivered_inside_a_request(platform: Platform) -> None:
    platform.listen()
    platform.fire()
    assert platform.receiver.received == []
    assert platform.control("POST", "/deliver") == {"attempts": 1}
    assert len(platform.receiver.received) == 1


def test_an_empty_selection_means_all_events(platform: Platform) -> None:
    everything = platform.listen()
    some = platform.listen("v1.questionnaire.created", url="https://portal.test/hooks/2/")
    platform.fire()
    platform.fire("v1.questionnaire.created")
    platform.sandbox.deliver_due()
    assert [message["type"] for message in platform.history(everything)] == ["v1.questionnaire.created", STATUS_CHANGED]
    assert [message["type"] for message in platform.history(some)] == ["v1.questionnaire.created"]


def test_endpoints_share_the_hook_id_and_have_their_own_secrets(platform: Platform) -> None:
    one, other = platform.listen(), platform.listen(url="https://portal.test/hooks/2/")
    hook_id = platform.fire()
    platform.sandbox.deliver_due()
    assert [found.headers["hook-id"] for found in platform.receiver.received] == [hook_id, hook_id]
    for endpoint, request in zip((one, other), platform.receiver.received, strict=True):
        Webhook(endpoint["secret"]).verify(request.body, mapped(request))


def test_another_tenants_events_do_not_come(platform: Platform) -> None:
    platform.listen()
    other = platform.sandbox.tenants.create("Fabrikon", seed=2, questionnaires=12, responses_per_questionnaire=1)
    platform.control("POST", "/events", tenant_id=other.id, type=STATUS_CHANGED)
    assert platform.sandbox.deliver_due() == 0


def test_retries_follow_the_documented_schedule(platform: Platform) -> None:
    endpoint = platform.listen()
    platform.receiver.statuses = [500, requests.ConnectTimeout(), 404, 301, 429, 503, 400, 500, 200]
    hook_id = platform.fire()
    assert platform.sandbox.deliver_due() == 1
    for seconds in RETRIES:
        platform.sandbox.clock.advance(seconds - 2)
        assert platform.sandbox.deliver_due() == 0
        platform.sandbox.clock.advance(3)
        assert platform.sandbox.deliver_due() == 1
    platform.sandbox.clock.advance(30 * 24 * 3600)
    assert platform.sandbox.deliver_due() == 0
    message = platform.history(endpoint)[0]
    assert (message["hook_id"], message["state"], message["due_at"]) == (hook_id, "failed", None)
    assert [attempt["status"] for attempt in message["attempts"]] == [500, None, 404, 301, 429, 503, 400, 500]
    assert message["attempts"][1]["response"] == "ConnectTimeout"
    assert message["attempts"][0]["response"] == "thanks"
    assert {found.headers["hook-id"] for found in platform.receiver.received} == {hook_id}


def test_a_retry_that_is_taken_ends_the_schedule(platform: Platform) -> None:
    endpoint = platform.listen()
    platform.receiver.statuses = [500, 204]
    platform.fire()
    platform.sandbox.deliver_due()
    platform.sandbox.clock.advance(6)
    platform.sandbox.deliver_due()
    platform.sandbox.clock.advance(30 * 24 * 3600)
    assert platform.sandbox.deliver_due() == 0
    assert platform.history(endpoint)[0]["state"] == "delivered"


def test_h9_both_secrets_sign_for_a_day_after_a_rotation(platform: Platform) -> None:
    old = platform.listen()
    new = platform.control("POST", f"/endpoints/{old['endpoint_id']}/rotate-secret")
    assert new["secret"] != old["secret"]
    platform.fire()
    platform.sandbox.deliver_due()
    request = platform.receiver.received[0]
    assert len(request.headers["hook-signature"].split(" ")) == 2
    for secret in (old["secret"], new["secret"]):
        Webhook(secret).verify(request.body, mapped(request))
    platform.sandbox.clock.advance(24 * 3600 + 1)
    platform.fire()
    platform.sandbox.deliver_due()
    request = platform.receiver.received[1]
    assert len(request.headers["hook-signature"].split(" ")) == 1
    Webhook(new["secret"]).verify(request.body, mapped(request))


def test_a_given_payload_is_delivered_as_it_is(platform: Platform) -> None:
    platform.listen()
    payload = {"questionnaire": {"id": "ü", "status": "NEW_ONE"}, "more": [1, None]}
    platform.fire("v9.unheard.of", payload=payload)
    platform.sandbox.deliver_due()
    assert json.loads(platform.receiver.received[0].body or "") == payload


@pytest.mark.parametrize(
    "body", [{"url": "ftp://x"}, {"url": "nothing"}, {"url": "https://x.test", "event_types": ["v1.nope"]}]
)
def test_an_endpoint_that_makes_no_sense_is_400(platform: Platform, body: dict[str, Any]) -> None:
    answer = platform.http.post("/_control/endpoints", json={"tenant_id": platform.tenant.id, **body})
    assert answer.status_code == 400
