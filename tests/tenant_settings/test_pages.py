import re

import pytest

from portal.tenant_settings.roles import ACTIONS, roles_of_views, view_names
from portal.tenants.models import Role
from tests.house.addresses import OUTSIDE_OF_OURS, addresses

pytestmark = pytest.mark.django_db
NAMES = [name for actions in ACTIONS.values() for names in actions.values() for name in view_names(names)]


def shown_sections(answer):
    return [item for _, items in answer.context["navigation"].sections for item in items]


def test_every_action_of_the_code_is_on_the_roles_page_once():
    above_reading = {name for name, role in roles_of_views().items() if role > Role.VIEWER}
    assert above_reading - set(NAMES) == set()
    assert len(NAMES) == len(set(NAMES))
    assert set(NAMES) - set(roles_of_views()) == set()
    assert len(roles_of_views()) == len([each for each in addresses() if each.is_of_a_tenant])
    assert "t/" not in OUTSIDE_OF_OURS


def test_each_line_of_the_roles_page_stands_for_one_role():
    mixed = {
        words: {roles_of_views()[name].label for name in view_names(names)}
        for actions in ACTIONS.values()
        for words, names in actions.items()
    }
    assert {words: roles for words, roles in mixed.items() if len(roles) > 1} == {}


def test_the_roles_page_tells_a_viewer_what_each_role_may(client, bob):
    client.force_login(bob)
    page = client.get("/t/acme/settings/roles/").content.decode()
    row = re.search(r"<tr>\s*<td><span>Delete a contract</span>.*?</tr>", page, re.DOTALL)
    assert row
    assert re.findall(r'>yes<|aria-label="(no)"', row[0]) == ["no", "no", "", "", ""]


@pytest.mark.parametrize(("role", "shown"), [(Role.VIEWER, set()), (Role.ADMIN, {"Audit"}), (Role.OWNER, {"Audit", "Sign-in"})])
def test_the_settings_show_the_pages_that_a_member_may_open(client, member, role, shown):
    client.force_login(member(role))
    answer = client.get("/t/acme/settings/")
    sections = {item.entry.label: item.url for item in shown_sections(answer)}
    assert {"Connection", "Webhooks", "Members", "Roles", "Office hours"} <= set(sections)
    assert {"Audit", "Sign-in"} & set(sections) == shown
    for url in sections.values():
        opened = client.get(url)
        assert opened.status_code == 200
        assert opened.context["navigation"].settings.is_current
        assert [item.url for item in shown_sections(opened) if item.is_current] == [url]
    assert client.get("/t/acme/questionnaires/").context["navigation"].sections == []
