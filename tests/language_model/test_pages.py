"""The tenant decides, sees what the model may use, and reads what was sent."""

import pytest
from django.core.exceptions import ImproperlyConfigured, PermissionDenied

from portal.audit.models import Entry
from portal.language_model import services
from portal.language_model.models import ModelSwitch
from portal.language_model.selectors import is_on
from portal.language_model.services import Wish
from portal.lib.model_server import model_server
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.language_model.conftest import KEY, PAGE, written
from tests.support.members import find_member

SOURCE = "All customer data is encrypted at rest with AES-256."


def test_an_owner_turns_it_on_and_off_for_this_tenant_alone(client, model, alice, acme, globex, mallory):
    client.force_login(alice)
    assert "Off" in client.get(PAGE).content.decode()
    assert client.post(f"{PAGE}switch/", {"to": "on"}).status_code == 302
    page = client.get(PAGE).content.decode()
    assert 'value="off"' in page
    assert "127.0.0.1" in page
    assert KEY not in page
    with tenant_scope(acme.pk):
        assert is_on()
        assert Entry.objects.filter(action="language_model.on", actor=alice).count() == 1
    with tenant_scope(globex.pk):
        assert not is_on()
    client.post(f"{PAGE}switch/", {"to": "off"})
    with tenant_scope(acme.pk):
        assert not is_on()
        assert Entry.objects.filter(action="language_model.off").count() == 1


def test_an_admin_reads_and_does_not_decide(client, model, member, scoped):
    admin = member(Role.ADMIN)
    client.force_login(admin)
    assert 'action="/t/acme/settings/language-model/switch/"' not in client.get(PAGE).content.decode()
    assert client.post(f"{PAGE}switch/", {"to": "on"}).status_code == 403
    with pytest.raises(PermissionDenied):
        services.switch(to=True, member=find_member(user=admin))
    assert not ModelSwitch.objects.exists()


def test_without_a_model_there_is_nothing_to_turn_on(client, alice, acme, settings):
    assert settings.LANGUAGE_MODEL is None
    client.force_login(alice)
    assert "Not set up" in client.get(PAGE).content.decode()
    assert client.post(f"{PAGE}switch/", {"to": "on"}).status_code == 404


def test_what_was_sent_can_be_read_by_admins_of_the_tenant(client, turned_on, alice, mallory, globex, bob):
    turned_on.answer = written((SOURCE, [1]))
    services.rewrite(Wish(question="Is <b>data</b> encrypted?", passages=[SOURCE], asked_for="Alice Ames"))
    client.force_login(alice)
    page = client.get(PAGE).content.decode()
    address = page.partition('class="t" href="')[2].partition('"')[0]
    shown = client.get(address).content.decode()
    assert "Is &lt;b&gt;data&lt;/b&gt; encrypted?" in shown
    assert shown.count(SOURCE) == 2
    client.force_login(mallory)
    assert client.get(address).status_code == 404
    assert client.get(address.replace("acme", "globex")).status_code == 404
    client.force_login(bob)
    assert client.get(address).status_code == 403


@pytest.mark.parametrize(
    ("url", "name", "wrong"),
    [
        ("http://models.example.com/v1/chat/completions", "m", "https"),
        ("models.example.com", "m", "https"),
        ("https://models.example.com/v1/chat/completions", "", "LANGUAGE_MODEL_NAME"),
    ],
)
def test_what_is_set_up_wrongly_stops_the_start(monkeypatch, url, name, wrong):
    monkeypatch.setenv("LANGUAGE_MODEL_URL", url)
    monkeypatch.setenv("LANGUAGE_MODEL_NAME", name)
    with pytest.raises(ImproperlyConfigured, match=wrong):
        model_server()


def test_the_key_stands_in_no_repr(monkeypatch):
    monkeypatch.setenv("LANGUAGE_MODEL_URL", "https://models.example.com/v1/chat/completions")
    monkeypatch.setenv("LANGUAGE_MODEL_NAME", "m")
    monkeypatch.setenv("LANGUAGE_MODEL_KEY", KEY)
    found = model_server()
    assert found is not None
    assert found.key == KEY
    assert KEY not in repr(found)
