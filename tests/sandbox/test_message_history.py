"""Platform-api 3.1: the dashboard's message history, resend, recovery and examples."""

import json

import pytest

from portal.sandbox.webhooks.catalogue import EVENT_TYPES, EXAMPLES
from tests.sandbox.platform import Platform


def test_one_message_is_sent_again_with_the_same_id(platform: Platform) -> None:
    endpoint = platform.listen()
    hook_id = platform.fire()
    platform.sandbox.deliver_due()
    platform.control("POST", f"/messages/{endpoint['endpoint_id']}/{hook_id}/resend")
    assert platform.sandbox.deliver_due() == 1
    first, second = platform.receiver.received
    assert first.headers["hook-id"] == second.headers["hook-id"]
    assert len(platform.history(endpoint)[0]["attempts"]) == 2


def test_recovery_sends_what_was_missed_in_a_range(platform: Platform) -> None:
    endpoint = platform.listen()
    platform.fire()  # before the range
    platform.sandbox.clock.advance(100)
    since = platform.control("GET", "/clock")["now"]
    taken = platform.fire()
    platform.sandbox.deliver_due()
    platform.control("POST", f"/endpoints/{endpoint['endpoint_id']}", disabled=True)
    missed = platform.fire()
    assert platform.sandbox.deliver_due() == 0
    platform.control("POST", f"/endpoints/{endpoint['endpoint_id']}", disabled=False)
    assert platform.sandbox.deliver_due() == 0
    assert platform.control("POST", f"/messages/{endpoint['endpoint_id']}/recover", since=since) == {"messages": 1}
    platform.receiver.received.clear()
    platform.sandbox.deliver_due()
    sent = [found.headers["hook-id"] for found in platform.receiver.received]
    assert sent == [missed]
    assert taken not in sent


def test_a_disabled_endpoint_keeps_what_was_pending(platform: Platform) -> None:
    endpoint = platform.listen()
    platform.fire()
    platform.control("POST", f"/endpoints/{endpoint['endpoint_id']}", disabled=True)
    assert platform.sandbox.deliver_due() == 0
    platform.control("POST", f"/endpoints/{endpoint['endpoint_id']}", disabled=False)
    assert platform.sandbox.deliver_due() == 1


@pytest.mark.parametrize("event_type", EVENT_TYPES)
def test_an_example_has_placeholder_ids(platform: Platform, event_type: str) -> None:
    endpoint = platform.listen("v1.questionnaire.created")
    platform.control("POST", f"/messages/{endpoint['endpoint_id']}/example", type=event_type)
    platform.sandbox.deliver_due()
    assert json.loads(platform.receiver.received[0].body or "") == EXAMPLES[event_type]
    assert '"123"' in str(platform.receiver.received[0].body)
