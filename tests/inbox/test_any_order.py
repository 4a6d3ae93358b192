"""Q4: in whatever order, how often and between whatever fetches the events of one object arrive, the mirror ends the same."""

import json
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portal.connections.services import Urgency, client_for
from portal.inbox.models import Delivery
from portal.inbox.routes import ROUTES
from portal.inbox.services import ensure_endpoints, process, store_delivery
from portal.platform_api.errors import NotFound
from portal.platform_api.webhooks import Verified
from portal.questionnaires.mirror import MIRRORS
from portal.questionnaires.models import Questionnaire, Response
from portal.sync.mirrors import Mirror
from portal.sync.models import StaleMark
from portal.sync.services import drain
from tests.sync.desk import two_minutes_pass

pytestmark = pytest.mark.once

CLIENT = object()
OF_TIME = ("id", "touched_at", "responses_synced_at", "gone_at", "tenant_id")


class Story:
    """One questionnaire, five things that happened to it, and the platform as it stands at the end."""

    def __init__(self, world, *, is_deleted: bool) -> None:
        self.questionnaire_id = next(iter(world.there("questionnaires")))
        self.is_deleted = is_deleted
        client = client_for(Urgency.PERSON)
        self._truth = {mirror.kind: mirror.fetch(client, self.questionnaire_id) for mirror in MIRRORS}
        self._mirrors = [replace(mirror, fetch=self._fetch(mirror)) for mirror in MIRRORS]
        self._endpoint = ensure_endpoints()[0]

    def _fetch(self, mirror: Mirror):
        def fetch(client: object, object_id: str) -> object:
            if self.is_deleted or object_id != self.questionnaire_id:
                raise NotFound("GET", "/questionnaires/{}", status=404)
            return self._truth[mirror.kind]

        return fetch

    @property
    def events(self) -> list[dict]:
        just_id = {"id": self.questionnaire_id}
        times = {"format": "csv", "requestedAt": "2026-01-01T00:00:00.000Z", "completedAt": "2026-01-01T00:00:00.000Z"}
        return [
            {"questionnaire": just_id},
            {"questionnaire": just_id | {"status": "IN_PROGRESS"}},
            {"questionnaire": just_id | {"status": "A_STATUS_OF_ITS_OWN"}},
            {"questionnaire": just_id | {"status": "COMPLETED"}},
            {"questionnaire": just_id, "export": {"id": "e1"} | times},
        ]

    def tell(self, number: int) -> None:
        body = json.dumps(self.events[number]).encode()
        store_delivery(self._endpoint, Verified(f"msg_{number}", timestamp=0, secret_index=0), body=body)
        process(ROUTES)

    def fetch(self) -> None:
        drain(self._mirrors, CLIENT)
        two_minutes_pass()
        drain(self._mirrors, CLIENT)

    def forget(self) -> None:
        for model in (Delivery, StaleMark, Response, Questionnaire):
            model.objects.all().delete()

    def mirror(self) -> tuple[list[dict], list[dict]]:
        questionnaires = list(Questionnaire.objects.values())
        gone = [row["gone_at"] is not None for row in questionnaires]
        rows = [{name: value for name, value in row.items() if name not in OF_TIME} for row in questionnaires]
        responses = list(Response.objects.order_by("position").values("platform_id", "payload", "position"))
        return [row | {"is_gone": is_gone} for row, is_gone in zip(rows, gone, strict=True)], responses


@pytest.fixture(params=[False, True], ids=["stays", "deleted"])
def story(request, world, scoped) -> Story:
    return Story(world, is_deleted=request.param)


def test_q4_every_order_ends_in_the_same_mirror(story):
    ends = []
    for order in permutations(range(5)):
        story.forget()
        for number in order:
            story.tell(number)
        story.fetch()
        ends.append(story.mirror())
    assert all(end == ends[0] for end in ends)
    assert len(ends[0][0]) == (0 if story.is_deleted else 1)


@given(steps=st.lists(st.sampled_from([0, 1, 2, 3, 4, "fetch"]), max_size=14), last=st.integers(0, 4))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_q4_repeated_late_and_between_fetches_they_end_in_the_same_mirror(story, steps, last):
    is_deleted = story.is_deleted
    story.forget()
    story.is_deleted = False
    story.tell(last)
    story.fetch()
    known = story.mirror()
    for step in steps:
        story.fetch() if step == "fetch" else story.tell(step)
    story.is_deleted = is_deleted
    # The same message again would change nothing; the last one has to be a new one.
    Delivery.objects.all().delete()
    story.tell(last)
    story.fetch()
    (row,), responses = story.mirror()
    assert row["is_gone"] == is_deleted
    if not is_deleted:
        assert ([row], responses) == known
