"""Whose work is shown where, what is counted, and what it costs."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.connections.models import Connection, State
from portal.deletion_requests.models import DeletionRequest
from portal.deletion_requests.models import State as Erasure
from portal.tenants.models import Membership, Role
from portal.tenants.scope import tenant_scope
from portal.work_items.models import Snooze, Visit, WorkItem
from portal.work_items.selectors import MAX_COUNTED, SECTIONS, SNOOZED, Count, Queue, needed_count
from portal.work_items.services import catch_up, left_at, note_visit, snooze
from tests.support.members import find_member
from tests.support.plans import plan_of

pytestmark = pytest.mark.both
PAGE = "/t/acme/"


def ask(number: int, *, days: int = 9, state: str = Erasure.RECEIVED) -> None:
    """Have somebody ask to be erased."""
    DeletionRequest.objects.create(
        email=f"p{number}@b.example",
        email_hash=f"h{number}",
        masked_email=f"p{number}…@b.example",
        requested_by_name="Alice",
        state=state,
        deadline_on=timezone.localdate() + timedelta(days=days),
    )


@pytest.fixture
def owner(acme, alice, connected):
    with tenant_scope(acme.pk):
        yield find_member(user=alice)


def of(member: Membership, **how) -> dict[str, int]:
    catch_up()
    queue = Queue(member=member, now=timezone.now(), **how)
    counts = queue.counts()
    assert count_all(counts) == queue.rows().count(), "each item stands in one section"
    assert sum(counts[name].number for name in SECTIONS if name != "others") == queue.needed().count()
    return {name: counts[name].number for name in (*SECTIONS, SNOOZED) if counts[name]}


def count_all(counts: dict[str, Count]) -> int:
    return sum(counts[name].number for name in SECTIONS)


@pytest.mark.parametrize("name", SECTIONS)
def test_each_section_of_the_team_is_read_from_its_index_in_its_order(owner, name):
    now = timezone.now()
    plan = plan_of(Queue(member=owner, now=now, is_team=True, left_at=now).section(name)[:30])
    assert plan.sought_in("near_items_of_team")[:2] == ["tenant_id", "is_with_others"], plan.text
    assert not plan.sorts, plan.text


def test_each_item_stands_in_one_section(owner):
    for number, days in enumerate((-3, 0, 9)):
        ask(number, days=days)
    ask(4, state=Erasure.SENDING)
    assert of(owner, is_team=True) == {"overdue": 1, "today": 1, "waiting": 1, "others": 1}
    left_at = timezone.now()
    ask(5)
    assert of(owner, is_team=True, left_at=left_at) == {"overdue": 1, "today": 1, "waiting": 1, "others": 1, "new": 1}


def test_only_what_the_role_can_do_waits_for_a_member(owner, member):
    ask(1)
    Connection.objects.update(state=State.NEEDS_RECONNECTION)
    catch_up()
    expected = {Role.VIEWER: 0, Role.ANALYST: 0, Role.APPROVER: 1, Role.ADMIN: 1}
    for role, number in expected.items():
        found = find_member(user=member(role))
        assert needed_count(found).number == number, role
    assert needed_count(owner).number == 2


def test_what_i_asked_for_waits_on_others_in_my_list(owner, member):
    ask(1)
    catch_up()
    WorkItem.objects.update(asked_by=owner.user)
    assert of(owner) == {"others": 1}
    approver = find_member(user=member(Role.APPROVER))
    assert of(approver) == {"waiting": 1}
    assert of(owner, is_team=True) == {"waiting": 1}


def test_what_one_person_snoozes_the_others_still_see(owner, member):
    ask(1)
    catch_up()
    item, now = WorkItem.objects.get(), timezone.now()
    snooze(item, user_id=owner.user_id, until=now + timedelta(days=1))
    assert of(owner) == {"snoozed": 1}
    assert needed_count(owner).number == 0
    assert of(find_member(user=member(Role.APPROVER))) == {"waiting": 1}
    Snooze.objects.update(until=now - timedelta(seconds=1))
    assert of(owner) == {"waiting": 1}


def test_new_is_what_came_while_a_person_was_away(owner):
    now = timezone.now()
    last = now - timedelta(hours=8, minutes=45)
    seen = []
    for at in (now - timedelta(hours=9), last, now, now + timedelta(minutes=10)):
        seen.append(left_at(owner.user_id, at))
        note_visit(owner.user_id, at)
    assert seen == [None, None, last, last]
    assert Visit.objects.count() == 1


def test_new_is_also_what_came_near_while_a_person_was_away(owner):
    ask(1)
    catch_up()
    now, hour = timezone.now(), timedelta(hours=1)
    WorkItem.objects.update(arrived_at=now - timedelta(days=90), visible_from=now - 2 * hour)
    for left, section in ((now - 3 * hour, "new"), (now - hour, "waiting"), (None, "waiting")):
        assert of(owner, left_at=left) == {section: 1}
        queue = Queue(member=owner, now=now, left_at=left)
        assert [line.is_new for line in queue.lines(queue.section(section))] == [section == "new"]


def test_opening_today_is_noted_by_the_page_not_by_the_get(client, alice, owner):
    client.force_login(alice)
    assert b'hx-post="/t/acme/today/seen/" hx-trigger="load delay:3s"' in client.get(PAGE).content
    assert not Visit.objects.exists()
    assert client.post(f"{PAGE}today/seen/").status_code == 204
    assert Visit.objects.get().user == alice


def test_the_page_the_badge_and_the_tabs_say_the_same(client, alice, owner):
    for number, days in enumerate((-3, 0, 9, 9)):
        ask(number, days=days)
    client.force_login(alice)
    answer = client.get(PAGE)
    work = answer.context["work"]
    assert work.needed == needed_count(owner) == Count(4)
    assert {tab["key"]: str(tab["count"]) for tab in answer.context["tabs"]}[""] == "4"
    assert sum(len(section.rows) for section in work.sections) == 4
    assert '<span class="count urgent">4</span>' in answer.content.decode()


def test_snoozing_is_done_from_the_row(client, alice, owner):
    ask(1)
    catch_up()
    item = WorkItem.objects.get()
    client.force_login(alice)
    path = f"{PAGE}today/{item.pk}/"
    assert client.post(f"{path}snooze/?tab=waiting", {"value": "7"}).url == f"{PAGE}?tab=waiting"
    assert Snooze.objects.get().until > timezone.now() + timedelta(days=6)
    assert "Snoozed" in client.get(PAGE).content.decode()
    fragment = client.post(f"{path}wake/", headers={"HX-Request": "true"})
    assert fragment.status_code == 200
    assert not Snooze.objects.exists()
    refused = client.post(f"{path}approve/", headers={"HX-Request": "true"})
    assert refused.status_code == 422


def test_s2_a_viewer_does_nothing_from_the_row(client, bob, owner):
    ask(1)
    catch_up()
    client.force_login(bob)
    path = f"{PAGE}today/{WorkItem.objects.get().pk}/snooze/"
    assert client.post(path).status_code == 403
    assert "Snooze for me" not in client.get(f"{PAGE}?whose=team").content.decode()
    assert not Snooze.objects.exists()


def test_s1_nobody_acts_on_an_item_of_another_tenant(client, mallory, globex, owner):
    ask(1)
    catch_up()
    item = WorkItem.objects.get()
    client.force_login(mallory)
    assert client.post(f"/t/globex/today/{item.pk}/snooze/").status_code == 404
    assert client.post(f"/t/acme/today/{item.pk}/snooze/").status_code == 404
    assert "p1…@b.example" not in client.get("/t/globex/?whose=team").content.decode()
    assert not Snooze.objects.exists()


@pytest.mark.usefixtures("within_a_minute")
def test_many_items_cost_what_few_do(client, alice, owner, django_assert_max_num_queries):
    client.force_login(alice)

    def asked() -> int:
        client.get(PAGE)
        with CaptureQueriesContext(connection) as found:
            assert client.get(f"{PAGE}?whose=team").status_code == 200
        return len(found)

    for number in range(12):
        ask(number)
    few = asked()
    rows = [
        DeletionRequest(email="", email_hash=f"m{number}", masked_email="m", requested_by_name="A", state=Erasure.RECEIVED)
        for number in range(2 * MAX_COUNTED)
    ]
    DeletionRequest.objects.bulk_create(rows)
    while catch_up(500, may_wait=True):
        pass
    assert asked() <= few
    page = client.get(f"{PAGE}?whose=team")
    assert "1,000+" in page.content.decode()
    assert sum(len(section.rows) for section in page.context["work"].sections) <= 50
    following = client.get(f"{PAGE}?whose=team&tab=waiting")
    assert len(following.context["work"].sections[0].rows) == 50
    assert following.context["work"].page.next_cursor
