"""The page of office hours: what is set there, by whom, and that the others are told."""

from datetime import date

import pytest
from django.utils import timezone

from portal.audit.models import Entry
from portal.calendars.models import Holiday, OfficeHours
from portal.calendars.selectors import office_time
from portal.calendars.signals import hours_changed
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope

PAGE = "/t/acme/settings/hours/"
BERLIN_WEEK = {"zone": "Europe/Berlin", "from_0": "08:30", "to_0": "12:00", "from_5": "20:00", "to_5": "00:00"}

pytestmark = pytest.mark.once


@pytest.fixture
def admin(client, member, scoped):
    client.force_login(member(Role.ADMIN))
    return client


@pytest.fixture
def told():
    calls = []
    receiver = lambda **_: calls.append(1)  # noqa: E731 - held by this name until the test ends
    hours_changed.connect(receiver)
    yield calls
    hours_changed.disconnect(receiver)


def test_until_something_is_set_it_is_monday_to_friday_from_nine_to_five(admin):
    page = admin.get(PAGE).content.decode()
    assert page.count('value="09:00"') == page.count('value="17:00"') == 5
    assert not OfficeHours.objects.exists()


def test_hours_are_set_and_the_others_are_told(admin, told):
    assert admin.post(f"{PAGE}set/", BERLIN_WEEK).status_code == 302
    assert office_time().week == [(510, 720), None, None, None, None, (1200, 1440), None]
    assert str(office_time().zone) == "Europe/Berlin"
    assert told == [1]
    assert Entry.objects.get().summary == "Set the office hours, in Europe/Berlin."
    assert 'value="00:00"' in admin.get(PAGE).content.decode()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"to_0": ""}, "Enter both times for Monday"),
        ({"to_0": "08:30"}, "the end must be after the start"),
        ({"from_0": "noon"}, "Enter a valid time"),
        ({"zone": "Mars/Base"}, "Select a valid choice"),
    ],
)
def test_what_makes_no_sense_is_shown_again_with_the_reason(admin, told, wrong, words):
    answer = admin.post(f"{PAGE}set/", BERLIN_WEEK | wrong)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not told
    assert not OfficeHours.objects.exists()


def test_no_hours_at_all_are_said_to_be_none(admin):
    admin.post(f"{PAGE}set/", {"zone": "UTC"})
    assert not office_time().has_any
    assert "No office hours set" in admin.get(PAGE).content.decode()


def test_holidays_come_one_by_one_or_by_country_and_go_again(admin, told):
    admin.post(f"{PAGE}holidays/", {"day": "2026-12-24", "name": "Christmas Eve"})
    year = timezone.localdate().year
    germany = {"country": "DE", "year": year}
    page = admin.post(f"{PAGE}holidays/country/", germany, follow=True).content.decode()
    assert f"{Holiday.objects.count() - 1} holidays for Germany in {year}." in page
    number = Holiday.objects.count()
    assert number >= 10
    assert Holiday.objects.filter(day=date(year, 12, 25), name="Christmas Day").exists()
    assert (
        b"All of them were already added."
        in admin.post(f"{PAGE}holidays/country/", {"country": "DE", "year": year}, follow=True).content
    )
    assert Holiday.objects.count() == number
    assert date(year, 12, 25) in office_time().holidays
    admin.post(f"{PAGE}holidays/{Holiday.objects.get(name='Christmas Eve').pk}/remove/")
    assert Holiday.objects.count() == number - 1
    assert len(told) == 3


@pytest.mark.parametrize("day", ["1999-12-31", "2100-01-01", "tomorrow"])
def test_a_day_that_cannot_be_counted_is_refused(admin, day):
    assert admin.post(f"{PAGE}holidays/", {"day": day, "name": "X"}).status_code == 422
    assert not Holiday.objects.exists()


def test_s1_only_admins_change_hours_and_everybody_reads_them(client, member, scoped):
    client.force_login(member(Role.APPROVER))
    holiday = Holiday.objects.create(day=date(2026, 1, 1), name="New Year")
    for path in ("set/", "holidays/", "holidays/country/", f"holidays/{holiday.pk}/remove/"):
        assert client.post(PAGE + path).status_code == 403
    page = client.get(PAGE).content.decode()
    assert "New Year" in page
    assert "Save hours" not in page


def test_s1_holidays_of_another_tenant_are_not_there(admin, globex):
    with tenant_scope(globex.pk):
        theirs = Holiday.objects.create(day=date(2026, 1, 1), name="Of others")
    assert admin.post(f"{PAGE}holidays/{theirs.pk}/remove/").status_code == 404
    assert "Of others" not in admin.get(PAGE).content.decode()
    assert not office_time().holidays
