"""The legal clock: a calendar month to the day, what is late, and what the tenant has set."""

from calendar import monthrange
from datetime import date, timedelta

import pytest
import time_machine
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from portal.deletion_requests.legal_clock import Regulation, a_month_after, last_day
from portal.deletion_requests.models import DeletionRequest, DeskSettings
from portal.tenants.models import Role
from tests.deletion_requests.conftest import EMAIL, PAGE, erase, first_step, receive

pytestmark = pytest.mark.once
days = st.dates(min_value=date(1990, 1, 1), max_value=date(2200, 12, 1))


@given(day=days)
def test_a_month_ends_on_the_day_of_the_same_number_or_on_the_last_one(day):
    end = a_month_after(day)
    assert (end.year * 12 + end.month) - (day.year * 12 + day.month) == 1
    assert end.day == min(day.day, monthrange(end.year, end.month)[1])
    assert timedelta(days=28) <= end - day <= timedelta(days=31)


@given(day=days, later=st.integers(0, 400))
def test_who_asks_later_never_has_an_earlier_end(day, later):
    assert a_month_after(day) <= a_month_after(day + timedelta(days=later))


@pytest.mark.parametrize(
    ("received", "end"),
    [
        ("2026-01-31", "2026-02-28"),
        ("2028-01-31", "2028-02-29"),
        ("2026-02-28", "2026-03-28"),
        ("2026-12-15", "2027-01-15"),
        ("2026-08-31", "2026-09-30"),
    ],
)
def test_months_of_the_calendar(received, end):
    assert last_day(date.fromisoformat(received), Regulation.GDPR, None) == date.fromisoformat(end)


def test_other_clocks_count_days():
    day = date(2026, 1, 31)
    assert last_day(day, Regulation.CCPA, None) == date(2026, 3, 17)
    assert last_day(day, Regulation.OWN, 10) == date(2026, 2, 10)


def test_what_is_due_is_sorted_by_its_last_day_and_has_tabs(approver, jane):
    today = timezone.localdate()
    ages = {"late": 40, "soon": 28, "new": 0}
    for name, age in ages.items():
        receive(
            approver,
            f"{name}@x.example",
            received_on=(today - timedelta(days=age)).isoformat(),
            regulation="own",
            own_days="30",
        )
    shown = {
        tab: [row.masked_email[0] for row in approver.get(f"{PAGE}?tab={tab}").context["page"].rows]
        for tab in ("open", "overdue", "soon", "received", "attention")
    }
    assert shown == {
        "open": ["l", "s", "n"],
        "overdue": ["l"],
        "soon": ["s"],
        "received": ["l", "s", "n"],
        "attention": ["l", "s"],
    }
    page = approver.get(PAGE).content.decode()
    assert "10 days late" in page
    assert "in 2 days" in page


def test_today_shows_what_is_due(approver, jane):
    assert "Check the identity and decide" not in approver.get("/t/acme/").content.decode()
    receive(
        approver, EMAIL, received_on=(timezone.localdate() - timedelta(days=20)).isoformat(), regulation="own", own_days="17"
    )
    page = approver.get("/t/acme/").content.decode()
    assert "Check the identity and decide" in page
    assert "3 days late" in page


def test_a_request_that_comes_due_calls_for_attention(approver, jane):
    receive(approver, EMAIL)
    assert DeletionRequest.objects.needing_attention(timezone.localdate()).count() == 0
    with time_machine.travel(timezone.now() + timedelta(days=25)):
        assert DeletionRequest.objects.needing_attention(timezone.localdate()).count() == 1


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"received_on": "2999-01-01"}, "in the future"),
        ({"received_on": "1999-01-01"}, "too long ago"),
        ({"received_on": "yesterday"}, "Enter a valid date"),
        ({"regulation": "own", "own_days": ""}, "Enter a number of days"),
        ({"regulation": "own", "own_days": "0"}, "greater than or equal to 1"),
        ({"regulation": "none"}, "Select a valid choice"),
    ],
)
def test_a_clock_that_cannot_run_is_refused(approver, jane, typed, words):
    answer = approver.post(f"{PAGE}receive/", first_step(EMAIL, **typed))
    assert (answer.status_code, DeletionRequest.objects.count()) == (422, 0)
    assert words in answer.content.decode()


def test_the_quick_way_has_a_clock_too(approver, jane):
    row = erase(approver, jane, received_on="2026-03-31", regulation="gdpr")
    assert (row.received_on, row.deadline_on) == (date(2026, 3, 31), date(2026, 4, 30))


def test_an_admin_sets_the_clock_and_forms_begin_with_it(approver, jane):
    said = {"regulation": "own", "own_days": "20", "recheck_days": "3"}
    assert approver.post(f"{PAGE}settings/set/", said).status_code == 302
    assert approver.get(f"{PAGE}receive/").context["form"].initial["regulation"] == "own"
    assert (DeskSettings.objects.get().own_days, DeskSettings.objects.get().recheck_days) == (20, 3)
    refused = approver.post(f"{PAGE}settings/set/", said | {"recheck_days": "0"})
    assert (refused.status_code, DeskSettings.objects.get().recheck_days) == (422, 3)
    assert approver.post(f"{PAGE}settings/set/", said | {"own_days": ""}).status_code == 422


@pytest.mark.parametrize("role", [Role.VIEWER, Role.ANALYST, Role.APPROVER])
def test_others_read_the_settings_only(client, scoped, member, role):
    client.force_login(member(role))
    page = client.get(f"{PAGE}settings/")
    assert b"Only admins can change this" in page.content
    assert client.post(f"{PAGE}settings/set/", {"regulation": "ccpa", "recheck_days": "3"}).status_code == 403
    assert client.post(f"{PAGE}settings/link/").status_code == 403
    assert DeskSettings.objects.count() == 0
