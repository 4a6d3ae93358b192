"""Days of contracts in the queue: taken, assigned and decided from Today; a missed notice day stays until somebody acts."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from portal.contracts.models import Terms
from portal.contracts.selectors.contracts import pills_of
from portal.contracts.services import change_terms, recalculate_renewed
from portal.tenants.models import Membership, Role
from portal.work_items.models import WorkItem
from portal.work_items.selectors import OVERDUE, Queue, lines_of
from portal.work_items.services import catch_up
from tests.support.audit import recorded

HTMX = {"HX-Request": "true"}


@pytest.fixture
def missed(row, me) -> Terms:
    """A contract that renews itself in three weeks, and whose notice day was ten days ago."""
    end = timezone.localdate() + timedelta(days=20)
    values = {"ends_on": end, "renews_itself": True, "renewal_months": 12, "notice_number": 30, "notice_unit": "days"}
    change_terms(row, values, member=me)
    return Terms.objects.get(contract=row)


def overdue(me: Membership) -> list[str]:
    catch_up()
    return [item.kind for item in Queue(member=me, now=timezone.now()).section(OVERDUE)]


@pytest.fixture
def act(client, alice, missed):
    client.force_login(alice)

    def post(action, kind="contract_notice", **values):
        catch_up()
        item = WorkItem.objects.get(kind=kind, object_id=missed.pk)
        return client.post(f"/t/acme/today/{item.pk}/{action}/", values, headers=HTMX)

    return post


def test_a_missed_notice_day_stays_overdue_until_it_is_decided(missed, me, act):
    assert overdue(me) == ["contract_notice"]
    with recorded("contract.settle_notice", by="Alice Ames"):
        assert act("settle_notice").status_code == 200
    assert overdue(me) == []
    assert not WorkItem.objects.filter(kind="contract_notice").exists()
    missed.refresh_from_db()
    assert "Notice decided" in [description for description, _ in pills_of(missed)]


def test_another_notice_day_is_open_anew(row, missed, me, act):
    act("settle_notice")
    change_terms(row, {"notice_number": 15}, member=me)
    catch_up()
    assert WorkItem.objects.filter(kind="contract_notice").exists()


def test_a_missed_notice_day_ends_when_the_contract_renews(missed, me):
    assert overdue(me) == ["contract_notice"]
    with time_machine.travel(timezone.now() + timedelta(days=22), tick=False):
        recalculate_renewed()
        missed.refresh_from_db()
        assert missed.notice_on > timezone.localdate()
        assert overdue(me) == []


def test_a_missed_notice_day_ends_with_a_contract_that_ends(row, missed, me):
    change_terms(row, {"renews_itself": False}, member=me)
    assert overdue(me) == ["contract_notice"]
    with time_machine.travel(timezone.now() + timedelta(days=22), tick=False):
        assert overdue(me) == []


def test_the_days_of_a_contract_are_taken_and_assigned_in_place(missed, act, alice, member):
    catch_up()
    items = WorkItem.objects.filter(object_id=missed.pk, kind__startswith="contract_").order_by("kind")
    assert [line.item.actions for line in lines_of(list(items))] == [
        ("take_contract", "assign_contract"),
        ("take_contract", "settle_notice", "assign_contract"),
    ]
    assert act("take_contract").status_code == 200
    catch_up()
    assert {item.owner_id for item in items.all()} == {alice.pk}
    analyst = member(Role.ANALYST)
    assert act("assign_contract", "contract_end", value="nobody of this name").status_code == 422
    assert act("assign_contract", "contract_end", value=str(analyst).upper()).status_code == 200
    catch_up()
    assert {item.owner_id for item in items.all()} == {analyst.pk}
    missed.refresh_from_db()
    assert missed.owner == analyst


def test_an_end_cannot_be_marked_decided(act):
    assert act("settle_notice", "contract_end").status_code == 422


@pytest.mark.parametrize("action", ["take_contract", "settle_notice", "assign_contract"])
def test_s2_a_viewer_changes_no_contract(client, act, bob, missed, action):
    client.force_login(bob)
    assert act(action).status_code == 403
    missed.refresh_from_db()
    assert (missed.owner, missed.notice_settled_on) == (None, None)


def test_the_page_shows_what_is_done_in_place(client, alice, missed):
    client.force_login(alice)
    page = client.get("/t/acme/").content.decode()
    for action in ("take_contract", "settle_notice", "assign_contract", "snooze"):
        assert f"/{action}/" in page
