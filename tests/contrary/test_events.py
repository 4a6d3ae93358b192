"""Deliveries over the contrary platform: whatever they claim, about ids with every character, what the platform has is kept."""

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from standardwebhooks import Webhook

from portal.inbox.models import Delivery, DeliveryState
from portal.inbox.services import ensure_endpoints, enter_secret
from tests.contrary.house import House, expect_none
from tests.contrary.looks import picture, wrong_after
from tests.contrary.platform import MOODS, TOKENS, Mood
from tests.sync.desk import two_minutes_pass

pytestmark = pytest.mark.once

SECRET = "whsec_Y29udHJhcnktZXZlbnRzLW9mLXRoZS10ZXN0cw=="
DAILY = ("404 in its own JSON that passes", "200 with a page")
AT_ONCE = 20
EVERY = (*MOODS, *TOKENS)
GROUPS = [EVERY[start : start + AT_ONCE] for start in range(0, len(EVERY), AT_ONCE)]


def claims(house: House) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what is told of every questionnaire and every access request: one true word among those that are not so."""
    for object_id in house.origin.kinds["questionnaires"]:
        for event in ("created", "status-changed", "deleted"):
            yield f"v1.questionnaire.{event}", {"questionnaire": {"id": object_id, "status": "NOBODY_HAS_HEARD_OF_IT"}}
    for object_id in house.origin.kinds["access-requests"]:
        for event in ("denied", "approved", "received"):
            told = {"trustCenter": {"slugId": house.platform.world.slug}, "accessRequest": {"id": object_id}}
            yield f"v1.trust-center.access-request.{event}", told | {"viewer": {"id": object_id}}


def tell(house: House, *, times: int) -> list[str]:
    """Deliver every claim so often, signed; return what was not taken."""
    with house.scoped():
        endpoint = next(each for each in ensure_endpoints() if not each.event_type)
        enter_secret(endpoint, SECRET, actor=house.owner)
    faults, client, at = [], Client(), datetime.now(UTC)
    for number, (event, payload) in enumerate(claims(house)):
        body, hook_id = json.dumps({"type": event, "data": payload}), f"msg_{number}"
        headers = {
            "hook-id": hook_id,
            "hook-timestamp": str(int(at.timestamp())),
            "hook-signature": Webhook(SECRET).sign(hook_id, at, body),
        }
        for _ in range(times):
            answer = client.post(f"/hooks/{endpoint.public_id}/", data=body, content_type="application/json", headers=headers)
            faults += [] if answer.status_code == 204 else [f"{event}: {answer.status_code}"]
    return faults


def faults_in(house: House, moods: Iterable[Mood | None]) -> list[str]:
    """Have every claim told in each mood; return what is kept that is not so once it has passed."""
    found = []
    for mood in moods:
        before = picture(house)
        with house.as_if():
            if mood:
                house.platform.feel(mood)
            faults = tell(house, times=2)
            house.crew.work()
            house.pass_time(60)
            house.platform.calm()
            for _ in range(2):
                house.pass_time(125)
                with house.scoped():
                    two_minutes_pass()
                house.look()
            faults += wrong_after(mood, before, picture(house))
            with house.scoped():
                waiting = Delivery.objects.exclude(state=DeliveryState.DONE).count()
            faults += [f"{waiting} deliveries are not done"] if waiting else []
            faults += house.crew.failed + sorted(house.crew.unknown) + house.platform.faults
            house.crew.failed, house.platform.faults = [], []
        found += [f"{mood or 'in peace'}: {fault}" for fault in faults]
    return found


def test_h2_q4_what_a_delivery_claims_is_looked_up_and_told_twice_it_is_told_once(filled: House):
    expect_none(faults_in(filled, [None, *(mood for mood in EVERY if mood.name in DAILY)]))


@pytest.mark.moods
@pytest.mark.parametrize("moods", GROUPS, ids=lambda moods: moods[0].name)
def test_h2_q4_no_mood_makes_a_claim_true(filled: House, moods: tuple[Mood, ...]):
    expect_none(faults_in(filled, moods))
