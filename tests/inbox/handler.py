"""A handler that notes what it is called for, and hands to put deliveries in its way."""

import json
from collections.abc import Callable, Sequence
from datetime import timedelta

from django.utils import timezone

from portal.inbox.models import Delivery
from portal.inbox.services import ensure_endpoints, store_delivery
from portal.platform_api.webhooks import QuestionnaireChanged, Verified
from portal.sync.services import Effects, mark_many


def put(*object_ids: str) -> None:
    """Have deliveries kept that name these objects."""
    endpoint = ensure_endpoints()[0]
    for object_id in object_ids:
        body = json.dumps({"questionnaire": {"id": object_id}}).encode()
        store_delivery(endpoint, Verified(f"msg_{object_id}", timestamp=0, secret_index=0), body=body)


def make_due() -> None:
    """Let enough time pass for the next try."""
    past = timezone.now() - timedelta(seconds=1)
    Delivery.objects.update(due_at=past)
    Delivery.objects.exclude(lease_until=None).update(lease_until=past)


def states() -> dict[str, str]:
    return dict(Delivery.objects.values_list("hook_id", "state"))


class Handler:
    """Notes what it is called for; fails for the ids it is told to."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.batches: list[int] = []
        self.failures: dict[str, BaseException] = {}
        self.during: Callable[[], None] = lambda: None

    def __call__(self, events: Sequence[QuestionnaireChanged], effects: Effects) -> None:
        ids = [event.questionnaire_id for event in events]
        self.batches.append(len(ids))
        self.calls += ids
        # Written at once, so that what fails afterwards has to take it back.
        mark_many("thing", ids)
        self.during()
        for object_id in ids:
            if failure := self.failures.get(object_id):
                raise failure

    @property
    def routes(self) -> dict:
        return {QuestionnaireChanged: self}
