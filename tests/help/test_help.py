"""The help of each desk: there for every desk, reached from it, true to the code's states."""

import re

import pytest

from portal.help.desks import HELP, PORTFOLIO
from portal.help.pages import meanings
from portal.questionnaires.stages import STAGES
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from portal.ui.navigation import DESKS, SETTINGS
from portal.work_items.kinds import kinds
from tests.questionnaires.test_list import make
from tests.support.members import add_member

pytestmark = pytest.mark.django_db


LIST_OF_KEYS = re.compile(r'aria-labelledby="keys-(\w+)".*?</dl>', re.DOTALL)


def test_every_desk_has_its_help():
    assert HELP.keys() == {entry.key for entry in DESKS} | {"settings"}


@pytest.mark.parametrize("key", HELP)
def test_every_page_is_read_by_a_viewer_and_says_each_state(client, bob, key):
    client.force_login(bob)
    page = client.get(f"/t/acme/help/{key}/").content.decode()
    for label, meaning in HELP[key].states:
        assert f'<b class="t">{label}</b>' in page
        assert meaning


def test_a_state_without_a_meaning_is_an_error_at_the_start():
    with pytest.raises(KeyError):
        meanings([("tomorrow", "A state of tomorrow")], {"today": "Known."})


def test_it_is_reached_from_each_page_of_the_desk(client, alice, acme):
    with tenant_scope(acme.pk):
        make("Helios", platform_id="q1")
    client.force_login(alice)
    for path, key in (("questionnaires/", "questionnaires"), ("questionnaires/clocks/", "questionnaires"), ("", "today")):
        assert f'href="/t/acme/help/{key}/"' in client.get(f"/t/acme/{path}").content.decode(), path
    for stage in STAGES:
        assert stage.label in client.get("/t/acme/help/questionnaires/").content.decode()


def test_an_unknown_desk_and_another_tenant_are_not_found(client, alice, acme, globex):
    client.force_login(alice)
    assert client.get("/t/acme/help/nobody/").status_code == 404
    assert client.get("/t/globex/help/today/").status_code == 404


@pytest.mark.parametrize("path", ["settings/", "settings/members/", "settings/hours/", "settings/questionnaires/"])
def test_the_settings_lead_to_their_help(client, alice, acme, path):
    client.force_login(alice)
    assert 'href="/t/acme/help/settings/"' in client.get(f"/t/acme/{path}").content.decode()


def test_the_help_of_the_settings_names_each_section():
    assert [label for label, _ in HELP["settings"].states] == [entry.label for entry in SETTINGS]


def test_the_portfolio_leads_to_its_help(client, alice, acme, globex):
    add_member(tenant=globex, user=alice, role=Role.ANALYST)
    client.force_login(alice)
    assert 'href="/portfolio/help/"' in client.get("/portfolio/").content.decode()
    page = client.get("/portfolio/help/").content.decode()
    for label, _ in PORTFOLIO.states:
        assert f'<b class="t">{label}</b>' in page


def test_s1_the_help_of_the_portfolio_is_for_those_who_are_signed_in(client):
    assert client.get("/portfolio/help/").status_code == 302


def test_r2_the_list_of_keys_names_what_the_rows_of_today_can_do(client, alice, acme):
    client.force_login(alice)
    page = client.get("/t/acme/help/today/").content.decode()
    lists = {found[1]: set(re.findall(r"<kbd>(.+?)</kbd>", found[0])) for found in LIST_OF_KEYS.finditer(page)}
    keys = {action.key for kind in kinds() for action in kind.actions.values()}
    assert keys | {"s", "u"} == lists["today"]


def test_the_phone_says_the_same_words_as_the_side(client, alice, acme):
    client.force_login(alice)
    page = client.get("/t/acme/help/today/").content.decode()
    bottom = page[page.index('class="bottom"') :]
    assert re.findall(r'<span class="cut">(.+?)</span>', bottom)[:3] == [entry.label for entry in DESKS[:3]]
