"""From the platform's own delivery to the mirror: hint, mark, fetch, row."""

import base64
import json

import pytest

from portal.access_requests.models import AccessRequest, Viewer
from portal.connections.models import Connection
from portal.inbox.models import DeliveryState
from portal.inbox.routes import MIRRORS, ROUTES
from portal.inbox.services import ensure_endpoints, enter_secret
from portal.inbox.services.outcomes import OUTCOME_WORDS
from portal.inbox.services.parsing import UNRECOGNISED
from portal.platform_api.webhooks import EVENT_TYPES, parse
from portal.questionnaires.models import Questionnaire
from portal.sandbox.webhooks.catalogue import EXAMPLES
from portal.sync.models import StaleMark
from portal.sync.services import Result
from portal.tenants.scope import tenant_scope
from tests.conftest import connect
from tests.inbox.conftest import send

CHANGED, GONE = OUTCOME_WORDS[Result.CHANGED], OUTCOME_WORDS[Result.GONE]
RECEIVED, APPROVED, DENIED = (f"v1.trust-center.access-request.{each}" for each in ("received", "approved", "denied"))


@pytest.fixture
def scope(world, scoped):
    """Read acme's rows."""


def test_every_event_of_the_specification_has_a_route():
    assert set(EVENT_TYPES) <= set(EXAMPLES)
    for event_type, payload in EXAMPLES.items():
        body = json.dumps(payload).encode()
        for event in (parse(body), parse(body, event_type=event_type)):
            assert type(event) in ROUTES, event_type


def test_every_kind_that_is_marked_can_be_fetched(world, scope):
    for event_type in EVENT_TYPES:
        world.happen(event_type)
    world.deliver()
    world.process()
    marked = set(StaleMark.objects.values_list("kind", flat=True))
    assert {"questionnaire", "responses", "vendor", "vendor_parts"} < marked <= {mirror.kind for mirror in MIRRORS}


def test_a_new_questionnaire_comes_into_the_mirror(world, scope):
    before = world.there("questionnaires")
    row = world.through("v1.questionnaire.created")
    (new,) = world.there("questionnaires").keys() - before.keys()
    assert Questionnaire.objects.get().platform_id == new
    assert (row.state, row.object_id, row.outcome) == (DeliveryState.DONE, new, CHANGED)


def test_q11_a_deletion_looks_like_a_creation_and_the_fetch_tells_them_apart(world, scope):
    created = world.through("v1.questionnaire.created")
    deleted = world.through("v1.questionnaire.deleted", object_id=created.object_id)
    assert bytes(created.body) == bytes(deleted.body)
    assert str(created) == str(deleted) == "v1.questionnaire.created or deleted"
    assert deleted.outcome == GONE
    assert Questionnaire.objects.get().gone_at


def test_a_status_shows_at_once_and_is_confirmed_by_the_fetch(world, scope):
    created = world.through("v1.questionnaire.created")
    world.process()
    Questionnaire.objects.update(status="IN_REVIEW")
    status = world.there("questionnaires")[created.object_id]["status"]
    payload = {"questionnaire": {"id": created.object_id, "status": "BRAND_NEW_STATUS"}}
    world.happen("v1.questionnaire.status-changed", payload=payload)
    world.deliver()
    world.process()
    row = Questionnaire.objects.get()
    assert (row.status, row.is_provisional) == ("BRAND_NEW_STATUS", True)
    world.drain()
    row = Questionnaire.objects.get()
    assert (row.status, row.is_provisional) == (status, False)


def test_an_access_request_is_received_and_approved(world, scope):
    received = world.through(RECEIVED)
    assert AccessRequest.objects.get(platform_id=received.object_id).is_pending
    approved = world.through(APPROVED, object_id=received.object_id)
    viewer_id = json.loads(bytes(approved.body))["viewer"]["id"]
    assert not AccessRequest.objects.get(platform_id=received.object_id).is_pending
    assert Viewer.objects.filter(platform_id=viewer_id).exists()


def test_received_and_denied_look_alike_and_the_fetch_tells_them_apart(world, scope):
    received = world.through(RECEIVED)
    denied = world.through(DENIED, object_id=received.object_id)
    assert bytes(received.body) == bytes(denied.body)
    assert not AccessRequest.objects.get(platform_id=received.object_id).is_pending


def test_the_first_trust_center_event_tells_the_slug_id(world, scope):
    Connection.objects.update(slug_id="")
    row = world.through(RECEIVED)
    world.drain()
    assert Connection.objects.get().slug_id == world.slug_id
    assert AccessRequest.objects.filter(platform_id=row.object_id).exists()


def test_what_nobody_knows_is_kept_as_it_came(world, scope):
    row = world.through("v1.questionnaire.created", payload={"invoice": {"id": "in_1"}})
    assert (row.state, row.outcome) == (DeliveryState.IGNORED, UNRECOGNISED)
    assert json.loads(bytes(row.body)) == {"invoice": {"id": "in_1"}}


def test_h2_the_platform_sends_again_and_nothing_happens_twice(world, scope):
    row = world.through("v1.questionnaire.created")
    calls = len(world.sandbox.requests("/questionnaires"))
    (endpoint,) = world.sandbox.control("GET", "/endpoints")
    world.sandbox.control("POST", f"/messages/{endpoint['endpoint_id']}/{row.hook_id}/resend")
    assert world.deliver() == 1
    world.process()
    world.drain()
    assert len(world.sandbox.requests("/questionnaires")) == calls


def test_s1_events_of_one_tenant_touch_no_other(world, scope, globex, mallory):
    with tenant_scope(globex.pk):
        connect(world.sandbox, world.sandbox.create_tenant(name="Globex", seed=8), mallory)
    world.through("v1.questionnaire.created")
    assert Questionnaire.objects.exists()
    with tenant_scope(globex.pk):
        assert not Questionnaire.objects.exists()
        assert not StaleMark.objects.exists()


def test_q13_the_secret_of_one_tenant_opens_no_address_of_another(endpoints, rows, globex, mallory):
    own = "whsec_" + base64.b64encode(b"the signing key of somebody else").decode()
    with tenant_scope(globex.pk):
        theirs = enter_secret(next(each for each in ensure_endpoints() if not each.event_type), own, actor=mallory)
    assert send(endpoints[""], {"questionnaire": {"id": "a"}}, secret=own).status_code == 400
    assert send(theirs, {"questionnaire": {"id": "a"}}).status_code == 400
    assert rows() == []
    assert send(theirs, {"questionnaire": {"id": "a"}}, secret=own).status_code == 204
    assert rows() == []
