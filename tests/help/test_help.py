"""The help of each desk: there for every desk, reached from it, true to the code's states."""

import pytest

from portal.help.desks import HELP, meanings
from portal.questionnaires.stages import STAGES
from portal.tenants.scope import tenant_scope
from portal.ui.navigation import DESKS
from tests.questionnaires.test_list import make

pytestmark = pytest.mark.django_db


def test_every_desk_has_its_help():
    assert HELP.keys() == {entry.key for entry in DESKS}


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
