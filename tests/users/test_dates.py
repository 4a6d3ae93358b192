"""Dates are written as the browser's language asks for, until the person chooses otherwise."""

from datetime import UTC, date, datetime

import pytest
from django.template import Context, Template
from django.test import Client

from portal.ui import times
from portal.users.dates import Dates, as_read_by
from portal.users.models import User
from tests.conftest import PASSWORD

AT = datetime(2026, 11, 25, 14, 3, 9, tzinfo=UTC)
WRITTEN = {
    Dates.DAY_24: ("25 Nov 2026", "25 November 2026, 14:03 UTC", "Wednesday, 25 November 2026, 14:03 UTC", "25 Nov"),
    Dates.DAY_12: ("25 Nov 2026", "25 November 2026, 2:03 PM UTC", "Wednesday, 25 November 2026, 2:03 PM UTC", "25 Nov"),
    Dates.MONTH_24: ("Nov 25, 2026", "November 25, 2026, 14:03 UTC", "Wednesday, November 25, 2026, 14:03 UTC", "Nov 25"),
    Dates.MONTH_12: ("Nov 25, 2026", "November 25, 2026, 2:03 PM UTC", "Wednesday, November 25, 2026, 2:03 PM UTC", "Nov 25"),
}


def drawn(pattern: str) -> str:
    return Template(f"{{{{ at|date:'{pattern}' }}}}").render(Context({"at": AT}))


@pytest.mark.parametrize("dates", Dates)
def test_dates_and_times_have_the_form_of_who_reads_them(dates):
    short, moment, exact, day = WRITTEN[dates]
    with as_read_by(User(dates=dates)):
        assert (drawn("j M Y"), drawn("j F Y, H:i T")) == (short, moment)
        assert (times.exact_words(AT), times.day_words(AT, now=AT)) == (exact, day)
        assert times.exact_words(date(2026, 11, 25)) == exact.partition(", 14")[0].partition(", 2:")[0]
        assert drawn("Y-m-d H:i:s T") == "2026-11-25 14:03:09 UTC", "what machines compare stays as it is"
    assert drawn("j M Y") == WRITTEN[Dates.DAY_24][0]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("spoken", "dates"),
    [
        ("en-US,en;q=0.9", Dates.MONTH_12),
        ("en-GB,en-US;q=0.8", Dates.DAY_24),
        ("en-AU", Dates.DAY_12),
        ("de-DE,de;q=0.9,en-US;q=0.5", Dates.DAY_24),
        ("", Dates.DAY_24),
        ("*;q=x", Dates.DAY_24),
    ],
)
def test_the_first_sign_in_takes_the_form_from_the_browser(alice, spoken, dates):
    for header, found in ((spoken, dates), ("en-AU", dates)):
        client = Client(headers={"accept-language": header})
        client.post("/accounts/login/", {"login": alice.email, "password": PASSWORD})
        alice.refresh_from_db()
        assert alice.dates == found


@pytest.mark.django_db
def test_a_person_chooses_the_form_in_the_profile_and_pages_have_it(client, alice, acme):
    client.force_login(alice)
    assert "Nov 25, 2026, 2:03 PM" in client.get("/accounts/profile/").content.decode()
    client.post("/accounts/profile/", {"name": "Alice", "timezone": "UTC", "dates": "month-12"})
    alice.refresh_from_db()
    assert alice.dates == Dates.MONTH_12
    page = client.get("/t/acme/settings/sign-in/activity/")
    assert page.status_code == 200
    with as_read_by(alice):
        assert f'title="{times.exact_words(page.context["rows"][0][0].at)}"' in page.content.decode()
    assert client.post("/accounts/profile/", {"name": "Alice", "timezone": "UTC", "dates": "roman"}).status_code == 422
