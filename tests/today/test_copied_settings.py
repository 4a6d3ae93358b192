"""Settings of one tenant copied to others: shown first, done as shown, only where one may."""

from datetime import date

import pytest
from playwright.sync_api import expect

from portal.access_requests.models import DeskSettings
from portal.access_requests.rulebook import AccountIs, Action, Conditions
from portal.access_requests.services.desk_settings import set_desk_settings
from portal.access_requests.services.rules import current_book, make_automatic, save_rule
from portal.audit.models import Entry
from portal.calendars.models import Holiday, OfficeHours
from portal.calendars.services import add_holidays, set_hours
from portal.notifications.kinds import Channel
from portal.notifications.models import Preference, QuietHours, TeamChannel
from portal.notifications.services.preferences import set_preference, set_quiet, set_team_preference
from portal.notifications.services.team_channels import set_up as set_up_channel
from portal.questionnaires.models import Priority, Target, TargetKind
from portal.questionnaires.services.targets import Condition, add_target
from portal.tenants.copied_settings import copied_settings
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.support.members import add_member, find_member, remove_members, set_role
from tests.support.page_checks import look

PAGE = "/t/acme/today/copy/"
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


def value_of(client, what: str = "hours") -> str:
    (copy,) = client.get(f"{PAGE}?what={what}").context["copies"]
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
        assert not Entry.objects.filter(summary__contains="Acme").exists(), "members of globex need not know of acme"
        assert Holiday.objects.get().name == "Christmas"
        assert set(Entry.objects.values_list("action", flat=True)) == {"calendar.set", "calendar.add_holidays", "settings.copy"}
    assert client.get(PAGE).context["copies"][0].plan == ()


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
    assert b"Nothing copied" in client.post(PAGE, {"chosen": value}, follow=True).content
    assert client.get(PAGE).context["copies"] == []
    remove_members(pk=both.pk)
    client.post(PAGE, {"chosen": value})
    assert hours_of(globex) is None


def set_up(member) -> None:
    """Give acme one of each: what is copied, and what stays because it means nothing elsewhere."""
    rule = {"conditions": Conditions(known=True), "action": Action(), "member": member}
    with tenant_scope(member.tenant_id):
        number = save_rule("", name="Known domains", seen=0, **rule).number
        account = Conditions(account=AccountIs.ONE_OF, account_ids=("a1",))
        save_rule("", name="One account", seen=number, **rule | {"conditions": account})
        make_automatic(current_book().rules[0].id, member=member, seen=number + 1)
        set_desk_settings(needs_two_for_approval=True, deadline_hours=8, member=member)
        add_target(Condition(TargetKind.PRIORITY, Priority.URGENT), hours=8, member=member)
        add_target(Condition(TargetKind.ACCOUNT, account_id="a1", name="Initech"), hours=4, member=member)
        add_slack(member, "https://hooks.slack.com/services/T1/B1/acme")
        set_team_preference(member, kind="overdue", channel="slack", frequency="weekly")
        set_preference(member, kind="mention", channel="email", frequency="never")
        set_quiet(member, is_quiet=True)


def add_slack(member, url: str) -> None:
    set_up_channel(Channel.SLACK, name="Team", url=url, actor=member)


def test_every_kind_of_settings_is_copied_without_what_is_of_one_tenant_alone(client, alice, both, acme, globex):
    set_up(find_member(tenant=acme, user=alice))
    with tenant_scope(globex.pk):
        add_slack(both, "https://hooks.slack.com/services/T2/B2/globex")
        address = bytes(TeamChannel.objects.get().url)
    client.force_login(alice)
    for what in copied_settings():
        client.post(f"{PAGE}?what={what}", {"chosen": value_of(client, what)})
        assert not client.get(f"{PAGE}?what={what}").context["copies"][0].plan, what
    with tenant_scope(globex.pk):
        assert [(rule.name, rule.is_automatic) for rule in current_book().rules] == [("Known domains", False)]
        assert DeskSettings.objects.values_list("needs_two_for_approval", "deadline_hours").get() == (True, 8)
        assert Target.objects.values_list("kind", "priority", "hours").get() == (TargetKind.PRIORITY, Priority.URGENT, 8)
        assert bytes(TeamChannel.objects.get().url) == address
        chosen = Preference.objects.values_list("user", "kind", "channel", "frequency")
        assert set(chosen) == {(None, "overdue", "slack", "weekly"), (alice.pk, "mention", "email", "never")}
        assert QuietHours.objects.get().user == alice
        copies = Entry.objects.filter(action="settings.copy", actor=alice)
        assert copies.count() == len(copied_settings())


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.xdist_group("today-browser")
def test_it_looks_right(page, live_server, session_cookie, both):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}/portfolio/")
    page.get_by_text("Copy settings…").click()
    page.locator(".actions .menu-list").get_by_role("link", name="Acme").click()
    look(page, "copy-settings")
    page.get_by_label("Copy to Globex").check()
    page.get_by_role("button", name="Copy to the selected tenants").click()
    expect(page.get_by_text("Nothing to copy")).to_be_visible()
    expect(page.get_by_role("button", name="Copy to the selected tenants")).to_have_count(0)
