"""Office hours of one tenant copied to others: shown first, done as shown, only where one may."""

from datetime import date

import pytest

from portal.audit.models import Entry
from portal.calendars.models import Holiday, OfficeHours
from portal.calendars.services import add_holidays, set_hours
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.support.looking import DESK, look
from tests.support.members import add_member, find_member, remove_members, set_role

PAGE = "/t/acme/today/copy-hours/"
WEEK = [(480, 1020)] * 4 + [(480, 840), None, None]

pytestmark = pytest.mark.both


@pytest.fixture
def both(alice, acme, globex):
    """Alice is owner of acme and admin of globex; acme has hours of its own."""
    membership = add_member(tenant=globex, user=alice, role=Role.ADMIN)
    with tenant_scope(acme.pk):
        member = find_member(tenant=acme, user=alice)
        set_hours(zone="Europe/Berlin", week=WEEK, member=member)
        add_holidays({date(2026, 12, 25): "Christmas"}, summary="Added.", member=member)
    return membership


def value_of(client) -> str:
    (copy,) = client.get(PAGE).context["copies"]
    return copy.value


def hours_of(tenant) -> tuple[str, list] | None:
    with tenant_scope(tenant.pk):
        return OfficeHours.objects.values_list("zone", "week").first()


def test_what_a_tenant_becomes_is_shown_and_then_done(client, alice, both, globex):
    client.force_login(alice)
    page = client.get(PAGE).content.decode()
    assert "Mon–Fri 09:00–17:00, UTC" in page
    assert "Mon–Thu 08:00–17:00, Fri 08:00–14:00, Europe/Berlin" in page
    assert "1 holiday more" in page
    assert hours_of(globex) is None
    assert b"Copied to Globex." in client.post(PAGE, {"chosen": value_of(client)}, follow=True).content
    assert hours_of(globex) == ("Europe/Berlin", [list(each) if each else None for each in WEEK])
    with tenant_scope(globex.pk):
        assert Holiday.objects.get().name == "Christmas"
        assert set(Entry.objects.values_list("action", flat=True)) == {"calendar.set", "calendar.add_holidays"}
    assert b"The same already" in client.get(PAGE).content


def test_what_was_changed_meanwhile_is_not_written_over(client, alice, both, globex):
    client.force_login(alice)
    value = value_of(client)
    with tenant_scope(globex.pk):
        set_hours(zone="Asia/Tokyo", week=WEEK, member=both)
    assert b"Not copied to Globex" in client.post(PAGE, {"chosen": value}, follow=True).content
    assert hours_of(globex)[0] == "Asia/Tokyo"


def test_s1_nothing_is_copied_where_one_is_no_admin(client, alice, both, globex):
    client.force_login(alice)
    value = value_of(client)
    set_role(Role.APPROVER, pk=both.pk)
    assert b"Nothing was copied" in client.post(PAGE, {"chosen": value}, follow=True).content
    assert client.get(PAGE).context["copies"] == []
    remove_members(pk=both.pk)
    client.post(PAGE, {"chosen": value})
    assert hours_of(globex) is None


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.xdist_group("today-browser")
def test_it_looks_right(page, live_server, session_cookie, both):
    page.set_viewport_size(DESK)
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}/portfolio/")
    page.get_by_text("Copy office hours…").click()
    page.locator(".actions .menu-list").get_by_role("link", name="Acme").click()
    look(page, "copy-hours")
    page.get_by_label("Copy to Globex").check()
    page.get_by_role("button", name="Copy to the selected tenants").click()
    page.get_by_text("The same already").wait_for()
