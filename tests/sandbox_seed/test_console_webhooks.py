"""Webhook endpoints in the console: added, changed, tried out, recovered; and events made to happen."""

import json

import pytest
import responses as receivers

from portal.sandbox.control.events import HAPPENINGS
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.tenants import Tenant
from portal.sandbox.webhooks.catalogue import EXAMPLES
from tests.sandbox_seed.conftest import RECEIVER, Person, delivered


@pytest.mark.parametrize("event_type", HAPPENINGS)
def test_an_event_made_to_happen_is_true_and_told(
    person: Person, sandbox: Sandbox, tenant: Tenant, listening: str, receiver: receivers.RequestsMock, event_type: str
) -> None:
    person.open(f"/console/tenants/{tenant.id}/")
    assert "It happened" in person.press("Make it happen", type=event_type)
    told = delivered(sandbox, receiver)[0]
    assert told.keys() == EXAMPLES[event_type].keys() and "123" not in json.dumps(told).split('"')


def test_it_says_when_nothing_can_happen(person: Person, sandbox: Sandbox) -> None:
    empty = sandbox.tenants.create("Globex")
    person.open(f"/console/tenants/{empty.id}/")
    assert "notice-bad" in person.press("Make it happen", type="v1.questionnaire.deleted")


def test_an_endpoint_is_added_rotated_disabled_and_deleted(person: Person, sandbox: Sandbox, tenant: Tenant) -> None:
    person.open(f"/console/tenants/{tenant.id}/endpoints/")
    types = ["v1.questionnaire.created", "v1.questionnaire.deleted"]
    page = person.press("Add endpoint", url=RECEIVER, event_types=types)
    [endpoint] = sandbox.endpoints.all(tenant.id)
    assert endpoint.event_types == types and endpoint.secret in page
    page = person.press("Rotate the secret")
    rotated = sandbox.endpoints.all(tenant.id)[0]
    assert rotated.secret != endpoint.secret and rotated.secret in page
    assert endpoint.secret in rotated.signing_secrets(sandbox.clock.seconds())
    person.press("Disable")
    assert sandbox.endpoints.all(tenant.id)[0].disabled
    person.press("Enable")
    assert not sandbox.endpoints.all(tenant.id)[0].disabled
    person.press("Delete this endpoint")
    assert sandbox.endpoints.all(tenant.id) == []


@pytest.mark.parametrize(("url", "types"), [("ftp://receiver.example/", []), (RECEIVER, ["v1.unheard.of"])])
def test_it_refuses_an_endpoint_that_can_never_be_called(
    person: Person, sandbox: Sandbox, tenant: Tenant, url: str, types: list[str]
) -> None:
    person.open(f"/console/tenants/{tenant.id}/endpoints/")
    assert "notice-bad" in person.press("Add endpoint", url=url, event_types=types)
    assert sandbox.endpoints.all(tenant.id) == []


def test_an_example_is_sent_shown_and_sent_again_with_the_same_id(
    person: Person, sandbox: Sandbox, tenant: Tenant, listening: str, receiver: receivers.RequestsMock
) -> None:
    person.open(f"/console/endpoints/{listening}/")
    person.press("Send example", type="v1.questionnaire.status-changed")
    assert delivered(sandbox, receiver) == [{"questionnaire": {"id": "123", "status": "IN_PROGRESS"}}]
    person.open(f"/console/endpoints/{listening}/")
    assert "204" in person.follow("msg_")
    person.press("Send again")
    sandbox.deliver_due()
    first, second = (call.request.headers["hook-id"] for call in receiver.calls)
    assert first == second


def test_missed_messages_of_a_time_are_recovered(
    person: Person, sandbox: Sandbox, tenant: Tenant, listening: str, receiver: receivers.RequestsMock
) -> None:
    sandbox.endpoints.update(listening, disabled=True)
    sandbox.emit(tenant.id, "v1.questionnaire.created", {"questionnaire": {"id": "missed"}})
    assert delivered(sandbox, receiver) == []
    person.open(f"/console/endpoints/{listening}/")
    person.press("Enable")
    assert "0 messages" in person.press("Recover", since="2020-01-01T00:00", until="2020-01-02T00:00")
    assert "1 messages" in person.press("Recover")
    assert delivered(sandbox, receiver) == [{"questionnaire": {"id": "missed"}}]
    assert "notice-bad" in person.press("Recover", since="yesterday")
