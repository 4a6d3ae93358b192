"""Q10: events that never come. The next comparison makes the mirror equal, and names exactly what nobody told."""

from datetime import UTC, datetime
from typing import Any

import pytest
import requests
from django.conf import settings
from django.utils import timezone

from portal.connections.models import CallWindow
from portal.inbox import tasks
from portal.questionnaires.mirror import QUESTIONNAIRE
from portal.sandbox.changes.questionnaires import PEOPLE_STATUSES
from portal.sync import selectors
from portal.sync.models import Finding, Run, RunState, StaleMark
from tests.inbox.world import Portal, World
from tests.support.comparisons import compare_all
from tests.support.mirrors import mirror
from tests.support.wsgi_adapter import make_response
from tests.sync.desk import two_minutes_pass

OPEN, DECIDED, VIEWERS = "access-requests", "historical-access-requests", "viewers"
LISTED = ("questionnaires", OPEN, DECIDED, VIEWERS)
KIND_OF = {"questionnaires": QUESTIONNAIRE, OPEN: "access_request", DECIDED: "access_request", VIEWERS: "viewer"}
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
STATUS_CHANGED = "v1.questionnaire.status-changed"
REQUEST = "v1.trust-center.access-request"
ROUNDS, A_ROUND = 5, 20

pytestmark = [pytest.mark.usefixtures("scoped"), pytest.mark.once]

type Objects = dict[tuple[str, str], Any]


@pytest.fixture
def platform_tenant(sandbox) -> dict:
    """An organisation in which much can happen."""
    counts = {"questionnaires": 80, "responses_per_questionnaire": 1, "access_requests": 12, "viewers": 8}
    return sandbox.create_tenant(name="Withheld", **counts)


@pytest.fixture
def compared(world: World) -> World:
    """The first comparison is done: from now on a change that nobody tells is missed."""
    tasks.sweep_reconciles()
    compare(world)
    assert here(world) == there(world)
    return world


def compare(world: World) -> None:
    Run.objects.update(next_due_at=timezone.now())
    compare_all(world.tenant.pk)
    assert set(Run.objects.values_list("state", flat=True)) == {RunState.DONE}


def fetch_all(world: World) -> None:
    """Handle what came, and fetch what it names, minute after minute."""
    world.process()
    while selectors.waiting_objects():
        CallWindow.objects.all().delete()
        world.drain()
        StaleMark.objects.waiting().update(due_at=timezone.now())
        two_minutes_pass()


def here(world: World) -> Objects:
    return by_kind(mirror(world.tenant.pk))


def there(world: World) -> Objects:
    return by_kind({kind: world.there(kind) for kind in LISTED})


def by_kind(objects: dict[str, dict[str, Any]]) -> Objects:
    """Name each object as the report does; a request says which list it is in."""
    return {(KIND_OF[kind], object_id): (kind, row) for kind in LISTED for object_id, row in objects[kind].items()}


def difference(before: Objects, after: Objects) -> set[tuple[str, str, Finding]]:
    changed = {(*name, Finding.CHANGED) for name, row in after.items() if before.get(name) != row}
    return changed | {(*name, Finding.GONE) for name in before.keys() - after.keys()}


def reported() -> set[tuple[str, str, Finding]]:
    found = [(each.kind, each.object_id, Finding(each.finding)) for each in selectors.missed_report(since=LONG_AGO, limit=1000)]
    assert len(found) == len(set(found))
    return set(found)


def in_work(world: World) -> list[str]:
    """Return the questionnaires whose status people change."""
    return [row["id"] for row in world.there("questionnaires").values() if row["status"] in PEOPLE_STATUSES]


def test_q10_a_comparison_names_exactly_what_no_event_told(compared):
    before = there(compared)
    working, waiting = in_work(compared), [*compared.there(OPEN)]
    for object_id in working[:25]:
        compared.happen(STATUS_CHANGED, object_id=object_id)
    for object_id in working[25:30]:
        compared.happen("v1.questionnaire.deleted", object_id=object_id)
    for _ in range(4):
        compared.happen("v1.questionnaire.created")
        compared.happen(f"{REQUEST}.received")
    for number, object_id in enumerate(waiting[:6]):
        compared.happen(f"{REQUEST}.{'approved' if number % 2 else 'denied'}", object_id=object_id)
    withheld = difference(before, there(compared))
    assert len(withheld) >= 25 + 5 + 4 + 4 + 6 + 3
    compare(compared)
    assert here(compared) == there(compared)
    assert reported() == withheld
    assert selectors.missed_changes(since=LONG_AGO) == len(withheld)
    # What comes at last, after the comparison, is old news.
    compared.deliver()
    fetch_all(compared)
    compare(compared)
    assert here(compared) == there(compared)
    assert reported() == withheld


class Lossy(Portal):
    """Something before the portal that takes some deliveries and does not hand them on."""

    def __init__(self) -> None:
        super().__init__()
        self.lost: set[str] = set()

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        if request.headers["hook-id"] in self.lost:
            return make_response(request, "204 No Content", [], b"")
        return super().send(request, *args, **options)


def test_q10_with_one_delivery_in_twenty_lost_the_mirror_is_equal_after_one_comparison(compared):
    lossy = Lossy()
    compared.sandbox.outgoing.mount(settings.PUBLIC_URL, lossy)
    ids = in_work(compared)
    for number in range(ROUNDS):
        # Other questionnaires in each round, so that some lose the last word on them and some an earlier one.
        told = [ids[(number * 7 + place) % len(ids)] for place in range(A_ROUND)]
        hook_ids = [compared.happen(STATUS_CHANGED, object_id=object_id) for object_id in told]
        lossy.lost.add(hook_ids[number % A_ROUND])
        assert compared.deliver() == A_ROUND
        fetch_all(compared)
    missed = difference(here(compared), there(compared))
    assert 0 < len(missed) <= len(lossy.lost) == ROUNDS
    compare(compared)
    assert here(compared) == there(compared)
    assert reported() == missed
