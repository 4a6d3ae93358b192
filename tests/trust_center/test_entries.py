"""Subprocessors and compliance frameworks: added once, changed, deleted; a lost answer never makes two of one."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from portal.audit.models import Entry
from portal.tenants.models import Role
from portal.trust_center import services
from portal.trust_center.models import Framework, Subprocessor
from portal.trust_center.services import entries
from tests.support.members import find_member
from tests.support.refusers import opened
from tests.trust_center.conftest import CALL


@dataclass(frozen=True)
class Case:
    """One list, and what somebody types into its form."""

    suffix: str
    there: str
    path: str
    model: type[Any]
    typed: dict[str, str]
    changed: dict[str, str]

    def url(self, verb: str, *args: str) -> str:
        return reverse(f"trust_center:{verb}_{self.suffix}", args=["acme", *args])

    def on_platform(self, desk) -> list[dict]:
        return [found for found in desk.there(self.there).values() if found["name"] == self.typed["name"]]


CASES = (
    Case(
        "subprocessor",
        "subprocessors",
        "subprocessors",
        Subprocessor,
        {
            "name": "Harbour Mail",
            "url": "https://harbour-mail.example",
            "purpose": "Sends email",
            "location": "Ireland",
            "description": "",
        },
        {"purpose": "Sends email to customers", "location": ""},
    ),
    Case(
        "framework",
        "trust-center-frameworks",
        "compliance-frameworks",
        Framework,
        {"name": "Our own rules", "standard": "", "description": "What we hold ourselves to."},
        {"name": "Our rules", "standard": "mvsp", "description": ""},
    ),
)
pytestmark = pytest.mark.once
each = pytest.mark.parametrize("case", CASES, ids=[case.suffix for case in CASES])


@pytest.fixture
def approver(client, member) -> Any:
    found = member(Role.APPROVER)
    client.force_login(found)
    return found


def add(client, case: Case, **values: str) -> Any:
    return client.post(case.url("new"), case.typed | values)


def seen_in(client, case: Case, row: Any) -> str:
    return client.get(case.url("edit", row.platform_id)).context["form"]["seen"].value()


@each
def test_an_entry_is_added_changed_and_deleted_on_the_platform(client, desk, approver, case):
    assert add(client, case).status_code == 302
    [there] = case.on_platform(desk)
    row = case.model.objects.get(platform_id=there["id"])
    assert {name: there[name] or "" for name in case.typed if there.get(name)} == {k: v for k, v in case.typed.items() if v}
    page = case.url("edit", row.platform_id)
    sent = case.typed | case.changed | {"seen": seen_in(client, case, row)}
    assert client.post(page, sent).status_code == 302
    now = desk.there(case.there)[row.platform_id]
    assert {name: now[name] or "" for name in case.changed} == case.changed
    row.refresh_from_db()
    assert {name: getattr(row, name) for name in case.changed} == case.changed
    assert client.post(case.url("delete", row.platform_id)).status_code == 302
    assert row.platform_id not in desk.there(case.there)
    assert not case.model.objects.present().filter(pk=row.pk).exists()
    said = Entry.objects.filter(target_id=row.platform_id).order_by("pk").values_list("action", "actor__email")
    assert [(action.partition(".")[2], email) for action, email in said] == [
        (verb, approver.email) for verb in ("add", "change", "delete")
    ]


@each
def test_w1_what_a_lost_answer_has_added_is_there_once(client, desk, approver, case):
    desk.sandbox.fail("drop_answer", method="POST", path=f"{CALL}{case.path}", times=1)
    assert add(client, case).status_code == 302
    assert len(case.on_platform(desk)) == 1
    assert len(desk.calls("POST", f"/{case.path}")) == 1
    # What was added before, by an attempt that nobody knows of, is taken for what it is.
    case.model.objects.all().delete()
    assert add(client, case).status_code == 302
    assert len(desk.calls("POST", f"/{case.path}")) == 1
    assert case.model.objects.filter(name=case.typed["name"]).count() == 1


@each
def test_another_one_of_the_same_name_is_refused_and_what_was_typed_stays(client, desk, approver, case):
    add(client, case)
    assert add(client, case).status_code == 422, "pressed twice, it is the very same"
    assert Entry.objects.filter(action__endswith=".add").count() == 1
    case.model.objects.all().delete()
    for _ in range(2):
        answer = add(client, case, description="Another one altogether.")
        shown = answer.content.decode()
        assert (answer.status_code, "already on the Trust Center" in shown) == (422, True)
        assert "Another one altogether." in shown
        assert case.model.objects.filter(name=case.typed["name"]).count() == 1, "what is there can be edited"
        desk.compare()
    assert len(case.on_platform(desk)) == 1


@each
def test_w2_what_the_platform_refuses_stands_at_its_field(client, desk, approver, case):
    answer = add(client, case, name="")
    assert (answer.status_code, [*answer.context["form"].errors]) == (422, ["name"])
    desk.sandbox.fail("status", method="POST", path=f"{CALL}{case.path}", value=422, times=1)
    answer = add(client, case)
    assert answer.status_code == 422
    assert case.typed["name"] in answer.content.decode()
    assert add(client, case).status_code == 302


@each
def test_who_changed_it_meanwhile_is_not_overwritten_unseen(client, desk, approver, case):
    row = case.model.objects.present()[0]
    seen = seen_in(client, case, row)
    desk.change(case.there, row.platform_id, description="Changed by somebody else.")
    said = services.SUBPROCESSORS if case.model is Subprocessor else services.FRAMEWORKS
    mine = said.said(row) | {"description": "Changed by me.", "seen": seen}
    answer = client.post(case.url("edit", row.platform_id), mine)
    shown = answer.content.decode()
    assert (answer.status_code, "Changed by somebody else." in shown, "Changed by me." in shown) == (422, True, True)
    assert desk.there(case.there)[row.platform_id]["description"] == "Changed by somebody else."
    again = mine | {"seen": answer.context["form"]["seen"].value()}
    assert client.post(case.url("edit", row.platform_id), again).status_code == 302
    assert desk.there(case.there)[row.platform_id]["description"] == "Changed by me."


@each
def test_w2_what_was_typed_stays_when_the_entry_is_gone_meanwhile(client, desk, approver, case):
    row = case.model.objects.present()[0]
    page = case.url("edit", row.platform_id)
    mine = case.typed | {"description": "Mine.", "seen": seen_in(client, case, row)}
    desk.objects.delete(desk.tenant_id, case.there, row.platform_id)
    case.model.objects.filter(pk=row.pk).update(gone_at=timezone.now())
    answer = client.post(page, mine)
    assert (answer.status_code, answer.context["form"]["description"].value()) == (422, "Mine.")
    assert "have this anymore" in answer.content.decode()
    assert client.get(page).status_code == 404


@each
def test_only_approvers_change_what_visitors_read(client, desk, member, scoped, case):
    analyst = member(Role.ANALYST)
    client.force_login(analyst)
    row = case.model.objects.present()[0]
    shown = client.get(reverse(f"trust_center:{case.suffix}s", args=["acme"])).content.decode()
    assert (case.url("new") in shown, case.url("edit", row.platform_id) in shown) == (False, False)
    assert [client.get(case.url("new")).status_code, client.post(case.url("delete", row.platform_id)).status_code] == [403, 403]
    family = services.SUBPROCESSORS if case.model is Subprocessor else services.FRAMEWORKS
    who = find_member(tenant=scoped, user=analyst)
    for act in (
        lambda: services.add_entry(family, case.typed, member=who),
        lambda: services.change_entry(family, row, case.typed, seen="", member=who),
        lambda: services.delete_entry(family, row, member=who),
        lambda: services.set_badge(Framework.objects.all()[0], SimpleUploadedFile("b.png", b"x"), "b.png", member=who),
    ):
        with pytest.raises(PermissionDenied):
            act()
    assert desk.calls("POST", f"/{case.path}") == desk.calls("DELETE", f"/{case.path}/") == []


def test_name_and_website_of_a_subprocessor_stay(client, desk, approver):
    row = Subprocessor.objects.present()[0]
    page = CASES[0].url("edit", row.platform_id)
    sent = services.SUBPROCESSORS.said(row) | {"name": "Another", "url": "https://x.example", "purpose": "Mail"}
    client.post(page, sent | {"seen": seen_in(client, CASES[0], row)})
    now = desk.there("subprocessors")[row.platform_id]
    assert (now["name"], now["purpose"]) == (row.name, "Mail")


def test_an_address_that_is_none_is_refused(client, desk, approver):
    for wrong in ("javascript:alert(1)", "harbour"):
        answer = add(client, CASES[0], url=wrong)
        assert [*answer.context["form"].errors] == ["url"]
    assert desk.calls("POST", "/subprocessors") == []


def test_a_badge_is_uploaded(client, desk, approver):
    row = Framework.objects.present()[0]
    page = reverse("trust_center:set_badge", args=["acme", row.platform_id])
    shown = client.post(page, {"file": SimpleUploadedFile("badge.png", b"\x89PNG")}, follow=True).content.decode()
    assert f"Badge uploaded: {row}" in shown
    assert len(desk.calls("POST", "/badge")) == 1
    assert Entry.objects.filter(action="shown_framework.badge", target_id=row.platform_id).count() == 1
    empty = client.post(page, {"file": SimpleUploadedFile("badge.png", b"")}, follow=True).content.decode()
    assert "Nothing was uploaded. This file is empty." in empty
    desk.sandbox.fail("status", method="POST", path=f"{CALL}compliance-frameworks/*", value=404, times=1)
    gone = client.post(page, {"file": SimpleUploadedFile("badge.png", b"\x89PNG")}, follow=True).content.decode()
    assert "Badge uploaded" not in gone
    assert Entry.objects.filter(action="shown_framework.badge").count() == 1


def test_a_badge_that_the_platform_does_not_take_is_said_so(client, desk, approver, monkeypatch):
    """The sandbox takes each one."""
    frameworks = SimpleNamespace(set_badge=lambda *args, **options: SimpleNamespace(is_successful=False))
    monkeypatch.setattr(entries, "trust_center", lambda client: SimpleNamespace(compliance_frameworks=frameworks))
    row = Framework.objects.present()[0]
    page = reverse("trust_center:set_badge", args=["acme", row.platform_id])
    shown = client.post(page, {"file": SimpleUploadedFile("badge.png", b"\x89PNG")}, follow=True).content.decode()
    assert "The platform rejected this badge" in shown
    assert not Entry.objects.filter(action="shown_framework.badge").exists()


@each
def test_w2_texts_longer_than_our_columns_stay_whole_when_an_entry_is_changed(client, desk, approver, case):
    row = case.model.objects.present()[0]
    long = {"name": "Harbour " * 50 + "Mail", "description": "One.\n" * 12_000 + "The end."}
    desk.change(case.there, row.platform_id, **long)
    desk.compare()
    changed = {name: value for name, value in case.changed.items() if name not in long}
    answer = client.post(*opened(client, case.url("edit", row.platform_id), **changed))
    assert answer.status_code == 302, answer.context["form"].errors
    there = desk.there(case.there)[row.platform_id]
    assert {name: there[name] or "" for name in long | changed} == long | changed
