"""The bell, the list and the choices, as one member sees them."""

import pytest
from django.core import mail

from portal.notifications.kinds import Channel, Frequency
from portal.notifications.models import Notification, Preference, QuietHours
from portal.tenants.scope import tenant_scope
from tests.notifications.conftest import PAGE, SETTINGS
from tests.support.members import find_member

HTMX = {"HX-Request": "true"}


def test_the_list_and_the_bell_show_ones_own(alice_in, me, carol, tell):
    assert b"No notifications yet" in alice_in.get(PAGE).content
    assert b"Nothing yet" in alice_in.get(f"{PAGE}bell/", headers=HTMX).content
    tell(me, title="For Alice <b>")
    tell(carol, key="two", title="For Carol")
    for page in (alice_in.get(PAGE), alice_in.get(f"{PAGE}bell/", headers=HTMX)):
        assert b"For Alice &lt;b&gt;" in page.content
        assert b"For Carol" not in page.content
        assert b"1 unread" in page.content


def test_every_page_shows_how_many_are_unread(alice_in, me, tell):
    for number in range(3):
        tell(me, key=str(number))
    assert b'<span class="sr">3 unread</span>' in alice_in.get("/t/acme/").content
    for number in range(100):
        tell(me, key=f"more {number}")
    assert b'<span class="sr">99+ unread</span>' in alice_in.get("/t/acme/").content


def test_opening_one_leads_to_its_page_and_reads_it(alice_in, me, tell):
    [row] = tell(me)
    answer = alice_in.post(f"{PAGE}{row.pk}/open/")
    assert (answer.status_code, answer["Location"]) == (302, "/t/acme/contracts/")
    row.refresh_from_db()
    assert row.read_at
    assert b"1 unread" not in alice_in.get(f"{PAGE}bell/", headers=HTMX).content
    assert b"All read" in alice_in.get(f"{PAGE}?tab=unread").content


def test_s1_nobody_opens_what_another_member_was_told(client, me, carol, tell, bob):
    [row] = tell(carol)
    client.force_login(me.user)
    assert client.post(f"{PAGE}{row.pk}/open/").status_code == 404
    row.refresh_from_db()
    assert row.read_at is None


def test_all_are_read_at_once_and_only_ones_own(alice_in, me, carol, tell):
    tell(me, carol)
    tell(me, key="two")
    answer = alice_in.post(f"{PAGE}read/", headers=HTMX)
    assert b"Mark all read" not in answer.content
    assert b'id="unread" hx-swap-oob="true"' in answer.content
    assert [row.user for row in Notification.objects.unread()] == [carol.user]
    assert alice_in.post(f"{PAGE}read/")["Location"] == PAGE


def test_an_open_page_asks_for_the_figure(alice_in, me, tell):
    address = f"{PAGE}unread/"
    assert alice_in.get(address, headers=HTMX | {"Seen": "0"}).status_code == 204
    tell(me)
    assert b"1 unread" in alice_in.get(address, headers=HTMX | {"Seen": "0"}).content
    assert alice_in.get(address, headers=HTMX | {"Seen": "1"}).status_code == 204


def test_the_open_list_hears_of_changes(alice_in, me, tell):
    page = alice_in.get(PAGE, headers=HTMX)
    seen = page.context["page_version"]
    assert alice_in.get(PAGE, headers=HTMX | {"Seen": seen}).status_code == 204
    tell(me)
    assert alice_in.get(PAGE, headers=HTMX | {"Seen": seen}).status_code == 200


def test_a_choice_is_kept_and_shown(alice_in, me):
    assert alice_in.post(f"{SETTINGS}choose/", {"mention:email": "weekly"}, headers=HTMX).status_code == 204
    row = Preference.objects.get()
    assert (row.user, row.kind, row.channel, row.frequency) == (me.user, "mention", Channel.EMAIL, Frequency.WEEKLY)
    table = {
        kind.name: {channel: chosen for channel, _, chosen in cells} for kind, cells in alice_in.get(SETTINGS).context["table"]
    }
    assert table["mention"] == {Channel.BELL: Frequency.NOW, Channel.EMAIL: Frequency.WEEKLY}
    assert table["assigned"] == {Channel.BELL: Frequency.NOW, Channel.EMAIL: Frequency.NOW}


def test_a_choice_for_several_desks_names_them(alice_in, me):
    said = alice_in.get(SETTINGS).content.decode()
    desks = "Contracts, Commitments, Customers, Library, Trust Center, People, Documents, Vendors, Audits, Risks"
    assert f'New work at all other desks<span class="s">{desks}</span>' in said


def test_without_a_script_all_choices_are_saved_with_one_button(alice_in, me):
    chosen = {"mention:email": "never", "mention:bell": "now", "due:email": "daily"}
    assert alice_in.post(f"{SETTINGS}choose/", chosen)["Location"] == SETTINGS
    # What holds already is no choice that has to be kept.
    assert [(row.kind, row.channel) for row in Preference.objects.all()] == [("mention", "email")]


def test_what_is_not_offered_is_refused(alice_in, me):
    assert alice_in.post(f"{SETTINGS}choose/", {"due:email": "now"}).status_code == 400
    assert not Preference.objects.exists()


def test_choices_are_each_members_and_each_tenants_own(client, me, bob, globex, mallory):
    client.force_login(bob)
    client.post(f"{SETTINGS}choose/", {"mention:email": "never"})
    client.post(f"{SETTINGS}quiet/", {"quiet": "1"})
    assert [row.user for row in Preference.objects.all()] == [bob]
    assert [row.user for row in QuietHours.objects.all()] == [bob]
    with tenant_scope(globex.pk):
        assert not Preference.objects.exists()
    client.post(f"{SETTINGS}quiet/", {"quiet": "0"})
    assert not QuietHours.objects.exists()
    assert find_member(user=bob)


def test_the_test_says_what_came_of_it(alice_in, me, monkeypatch):
    page = alice_in.post(f"{SETTINGS}test/", follow=True)
    assert b"Test sent to alice@acme.example" in page.content
    assert [message.to for message in mail.outbox] == [["alice@acme.example"]]

    def refuse(*args, **options):
        raise OSError

    monkeypatch.setattr("portal.notifications.services.emails.send_mail", refuse)
    assert b"accept the test" in alice_in.post(f"{SETTINGS}test/", follow=True).content


@pytest.mark.parametrize("number", [0, 1, 60])
def test_the_bell_costs_the_same_with_any_number(alice_in, me, tell, django_assert_max_num_queries, number):
    for each in range(number):
        tell(me, key=str(each))
    alice_in.get(f"{PAGE}bell/")
    with django_assert_max_num_queries(9):
        alice_in.get(f"{PAGE}bell/")
    with django_assert_max_num_queries(24):
        alice_in.get(PAGE)
