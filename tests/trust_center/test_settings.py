"""The settings of the Trust Center: what is another one is sent, once; nobody else's word is overwritten unseen."""

import pytest
from django.core.exceptions import PermissionDenied

from portal.audit.models import Entry
from portal.tenants.models import Role
from portal.trust_center import services
from portal.trust_center.models import CenterSettings
from tests.support.members import find_member
from tests.trust_center.conftest import CALL, PAGE

pytestmark = pytest.mark.once
SETTINGS = f"{PAGE}settings/"


def shown(client) -> dict[str, str]:
    """What the form holds when it is opened."""
    form = client.get(SETTINGS).context["form"]
    held = {name: field.value() for name, field in ((field.name, field) for field in form)}
    return {name: "on" if value is True else value for name, value in held.items() if value not in (False, None)}


def center(desk) -> dict:
    [found] = desk.there("trust-centers").values()
    return found


def test_an_admin_changes_what_visitors_read_and_only_that_is_sent(client, desk, member):
    admin = member(Role.ADMIN)
    client.force_login(admin)
    before = center(desk)
    sent = shown(client) | {"title": "Security at Acme", "contact_email": "trust@acme.example"}
    assert client.post(SETTINGS, sent).status_code == 302
    now = center(desk)
    assert (now["title"], now["contactEmail"]) == ("Security at Acme", "trust@acme.example")
    untouched = ("companyDescription", "privacyPolicy", "customHeading", "isPublic", "customTheme", "bannerSetting")
    assert {name: now[name] for name in untouched} == {name: before[name] for name in untouched}
    assert CenterSettings.objects.get().payload["title"] == "Security at Acme"
    [entry] = Entry.objects.filter(action="trust_center_settings.change")
    assert (entry.actor, "contact email, title" in entry.summary, "trust@" in entry.summary) == (admin, True, False)
    client.post(SETTINGS, shown(client))
    assert len(desk.calls("PATCH", "/trust-centers/")) == 1, "nothing was different, so nothing was sent"


def test_closing_and_opening_it_to_everybody(client, desk, member):
    client.force_login(member(Role.ADMIN))
    was = center(desk)["isPublic"]
    sent = shown(client)
    changed = {name: value for name, value in sent.items() if name != "is_public"} | ({} if was else {"is_public": "on"})
    client.post(SETTINGS, changed)
    assert center(desk)["isPublic"] is not was
    assert CenterSettings.objects.get().is_public is not was


def test_w1_a_lost_answer_is_settled_by_looking(client, desk, member):
    client.force_login(member(Role.ADMIN))
    desk.sandbox.fail("drop_answer", method="PATCH", path="/v1/trust-centers", times=1)
    assert client.post(SETTINGS, shown(client) | {"title": "Once"}).status_code == 302
    assert center(desk)["title"] == "Once"
    assert Entry.objects.filter(action="trust_center_settings.change").count() == 1


def test_w1_what_is_set_already_is_not_sent_again(client, desk, member):
    client.force_login(member(Role.ADMIN))
    sent = shown(client) | {"title": "Once"}
    desk.change("trust-centers", center(desk)["id"], title="Once")
    assert client.post(SETTINGS, sent).status_code == 302
    assert desk.calls("PATCH", "/trust-centers/") == []
    assert CenterSettings.objects.get().payload["title"] == "Once"
    assert Entry.objects.get(action="trust_center_settings.change").summary.endswith("Trust Center: title.")


def test_who_changed_it_meanwhile_is_not_overwritten_unseen(client, desk, member):
    client.force_login(member(Role.ADMIN))
    sent = shown(client) | {"title": "Mine"}
    desk.change("trust-centers", center(desk)["id"], title="Somebody else's")
    answer = client.post(SETTINGS, sent)
    page = answer.content.decode()
    assert (answer.status_code, "Somebody else&#x27;s" in page, "Mine" in page) == (422, True, True)
    assert center(desk)["title"] == "Somebody else's"
    again = sent | {"seen": answer.context["form"]["seen"].value()}
    assert client.post(SETTINGS, again).status_code == 302
    assert center(desk)["title"] == "Mine"


def test_w2_what_is_refused_comes_back(client, desk, member):
    client.force_login(member(Role.ADMIN))
    for field, wrong in {"contact_email": "nobody", "privacy_policy": "javascript:alert(1)"}.items():
        answer = client.post(SETTINGS, shown(client) | {field: wrong})
        assert (answer.status_code, [*answer.context["form"].errors]) == (422, [field])
    assert desk.calls("PATCH", "/trust-centers/") == []
    desk.sandbox.fail("status", method="PATCH", path=CALL, value=422, times=1)
    answer = client.post(SETTINGS, shown(client) | {"title": "Refused"})
    assert (answer.status_code, "Refused" in answer.content.decode()) == (422, True)
    assert not Entry.objects.filter(action="trust_center_settings.change").exists()


def test_only_admins_change_them(client, desk, member, scoped):
    approver = member(Role.APPROVER)
    client.force_login(approver)
    assert client.get(SETTINGS).status_code == 403
    assert SETTINGS not in client.get(f"{PAGE}resources/").content.decode()
    who = find_member(tenant=scoped, user=approver)
    with pytest.raises(PermissionDenied):
        services.change_settings(CenterSettings.objects.get(), {}, is_public=True, seen="", member=who)
    assert desk.calls("PATCH", "/trust-centers/") == []


def test_before_they_were_read_the_page_says_so(client, connected, scoped, member):
    client.force_login(member(Role.ADMIN))
    answer = client.get(SETTINGS)
    assert (answer.status_code, answer.context["form"]) == (200, None)
