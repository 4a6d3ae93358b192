"""The dashboard's "send example": ids that do not exist, for every event there is. Nothing to fetch, and nothing wrong."""

import pytest
from django.utils import timezone

from portal.access_requests.models import AccessRequest, Viewer
from portal.connections.models import Connection
from portal.inbox.models import Delivery, DeliveryState
from portal.inbox.selectors import attention_count
from portal.inbox.services import watch
from portal.inbox.services.outcomes import OUTCOME_WORDS
from portal.inbox.services.parsing import EXAMPLE, NOT_OURS, OTHER_TRUST_CENTER
from portal.platform_api.webhooks import EVENT_TYPES
from portal.questionnaires.models import Questionnaire, Response
from portal.sandbox.webhooks.catalogue import EXAMPLES
from portal.sync.models import MissedChange, StaleMark
from portal.sync.services import Result
from tests.inbox.test_silence import HOUR

pytestmark = pytest.mark.once

RECEIVED, APPROVED = (f"v1.trust-center.access-request.{each}" for each in ("received", "approved"))


@pytest.fixture
def scope(world, scoped):
    """Read acme's rows."""


def send_example(world, event_type: str) -> Delivery:
    """Press "send example" on the platform, and let everything happen that follows."""
    (endpoint,) = world.sandbox.control("GET", "/endpoints")
    hook_id = world.sandbox.control("POST", f"/messages/{endpoint['endpoint_id']}/example", type=event_type)["hook_id"]
    assert world.deliver() == 1
    world.process()
    world.drain()
    return world.row(hook_id)


def test_every_event_of_the_specification_has_an_example():
    assert set(EVENT_TYPES) <= set(EXAMPLES)


@pytest.mark.parametrize("event_type", EXAMPLES)
def test_h13_an_example_of_any_event_ends_as_nothing_to_fetch(world, scope, event_type):
    row = send_example(world, event_type)
    assert row.outcome.startswith(EXAMPLE)
    assert row.state in (DeliveryState.DONE, DeliveryState.IGNORED)
    assert (row.error, row.attempts) == ("", 1)
    for model in (Questionnaire, Response, AccessRequest, Viewer, MissedChange):
        assert not model.objects.exists()
    assert not StaleMark.objects.waiting().exists()
    assert attention_count() == 0
    assert Connection.objects.get().slug_id == world.slug_id


@pytest.mark.parametrize("event_type", [RECEIVED, APPROVED])
def test_an_example_before_the_slug_id_is_known_teaches_nothing_and_ends_too(world, scope, event_type):
    Connection.objects.update(slug_id="")
    assert send_example(world, event_type).outcome.startswith(EXAMPLE)
    assert Connection.objects.get().slug_id == ""
    assert not StaleMark.objects.exists()


def test_an_id_that_nobody_ever_had_ends_as_an_example_whatever_it_looks_like(world, scope):
    payload = {"trustCenter": {"slugId": world.slug_id}, "accessRequest": {"id": "65f1b2c3d4e5f6a7b8c9d0ff"}}
    assert world.through(RECEIVED, payload=payload).outcome == OUTCOME_WORDS[Result.NOTHING]
    assert not AccessRequest.objects.exists()


def test_q11_the_deletion_of_what_the_comparison_has_found_gone_already_is_no_example(world, scope):
    created = world.through("v1.questionnaire.created")
    Questionnaire.objects.update(gone_at=created.received_at)
    deleted = world.through("v1.questionnaire.deleted", object_id=created.object_id)
    assert deleted.outcome == OUTCOME_WORDS[Result.GONE]


def test_q13_a_slug_of_another_tenant_is_kept_out_and_reported(world, scope):
    stranger = world.sandbox.create_tenant(name="Globex", seed=8)
    (request, *_) = world.sandbox.objects(stranger["tenant_id"], "access-requests")
    payload = {"trustCenter": {"slugId": stranger["slugId"]}, "accessRequest": {"id": request["id"]}}
    row = world.through(RECEIVED, payload=payload)
    assert (row.state, row.outcome) == (DeliveryState.IGNORED, OTHER_TRUST_CENTER)
    assert not AccessRequest.objects.exists()
    assert not StaleMark.objects.exists()
    assert not world.sandbox.requests(stranger["slugId"])


def test_a_real_event_of_an_area_that_the_grant_does_not_cover_is_no_example(world, scope):
    payload = {"evidence": {"id": "65f1b2c3d4e5f6a7b8c9d0ff", "auditId": "65f1b2c3d4e5f6a7b8c9d0aa"}}
    row = world.through("v1.evidence.created", payload=payload)
    assert (row.state, row.outcome) == (DeliveryState.IGNORED, NOT_OURS)


@pytest.fixture
def feed(world, scope):
    """Make deliveries of the past, so many hours ago each."""

    def make(*hours_ago: float, outcome: str = "") -> None:
        (template, *_) = Delivery.objects.all()[:1] or [send_example(world, RECEIVED)]
        for hours in hours_ago:
            row = Delivery(endpoint=template.endpoint, hook_id=f"{hours} hours ago", body=b"{}", outcome=outcome)
            row.received_at = timezone.now() - hours * HOUR
            row.save()

    return make


def test_an_example_is_no_part_of_a_feed_s_rhythm_but_shows_that_the_way_is_open(feed):
    feed(*range(240, 12, -8))
    Connection.objects.update(connected_at=timezone.now() - 90 * 24 * HOUR)
    Delivery.objects.filter(outcome__startswith=EXAMPLE).delete()
    assert watch()
    feed(2, outcome=OUTCOME_WORDS[Result.NOTHING])
    assert not watch()
    # The silence before it was no pause of this feed: the next one is noticed as soon as ever.
    Delivery.objects.filter(outcome__startswith=EXAMPLE).update(received_at=Delivery.objects.last().received_at)
    assert watch()
