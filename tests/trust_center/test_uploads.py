"""Documents are uploaded and deleted: by whom, what is sent, and what a lost answer comes to."""

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile

from portal.audit.models import Entry
from portal.tenants.models import Role
from portal.trust_center import services
from portal.trust_center.models import ContentCheck, RenewalRule, Resource
from portal.trust_center.search_hits import resource_url
from portal.trust_center.services import NewResource, uploads
from tests.support.members import find_member
from tests.trust_center.conftest import CALL, PAGE

NEW = f"{PAGE}resources/new/"
CONTENT = b"%PDF-1.7 a report"


def handed_in(title: str = "SOC 2 report", *, access: str = "on-request", name: str = "soc2.pdf") -> dict:
    return {"title": title, "description": "Of this year.", "access": access, "file": SimpleUploadedFile(name, CONTENT)}


def named(desk, title: str = "SOC 2 report") -> list[dict]:
    return [found for found in desk.there("resources").values() if found["title"] == title]


def test_a_document_is_uploaded_and_its_file_comes_back(client, owner, desk):
    answer = client.post(NEW, handed_in(access="public"))
    [there] = named(desk)
    assert answer["Location"] == resource_url("acme", there["id"])
    assert (there["fileName"], there["isPublic"], there["description"]) == ("soc2.pdf", True, "Of this year.")
    row = Resource.objects.get(platform_id=there["id"])
    assert (row.title, row.is_public) == ("SOC 2 report", True)
    assert b"".join(client.post(f"{resource_url('acme', row.platform_id)}download/").streaming_content) == CONTENT
    [entry] = Entry.objects.filter(action="resource.add")
    assert (entry.actor, entry.target_id) == (owner.user, row.platform_id)


def test_an_analyst_uploads_what_visitors_have_to_ask_for_and_no_more(client, desk, member, bob):
    analyst = find_member(user=member(Role.ANALYST))
    client.force_login(analyst.user)
    client.post(NEW, handed_in(access="public"))
    assert [found["isPublic"] for found in named(desk)] == [False]
    new = NewResource(content=SimpleUploadedFile("a.pdf", b"a"), file_name="a.pdf", title="A", description="", is_public=True)
    with pytest.raises(PermissionDenied):
        services.add_resource(new, member=analyst)
    client.force_login(bob)
    assert client.post(NEW, handed_in("By a viewer")).status_code == 403
    assert named(desk, "By a viewer") == []


def test_an_empty_file_and_a_missing_one_are_refused_here(client, owner, desk):
    assert client.post(NEW, handed_in() | {"file": SimpleUploadedFile("empty.pdf", b"")}).status_code == 422
    assert client.post(NEW, {"title": "No file", "access": "public"}).status_code == 422
    assert not desk.calls("POST", "/resources")


def test_w1_a_lost_answer_never_makes_two_of_one(client, owner, desk, sandbox):
    sandbox.fail("drop_answer", method="POST", path=f"{CALL}/resources", times=1)
    assert client.post(NEW, handed_in()).status_code == 302
    assert len(named(desk)) == 1
    assert client.post(NEW, handed_in()).status_code == 422, "it is there already"
    # Neither the write nor the look after it is answered: pressed again, it is found and shown, and not sent once more.
    sandbox.fail("drop_answer", method="POST", path=f"{CALL}/resources", times=1)

    def looks_fail_after_the_first() -> None:
        sandbox.fail("status", method="GET", path=f"{CALL}/resources", value=503, times=9)

    services_look = uploads.write_and_verify

    def write(**how):
        looks_fail_after_the_first()
        return services_look(**how)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(uploads, "write_and_verify", write)
        lost = client.post(NEW, handed_in("Nobody knows"))
    assert lost.status_code == 422
    assert lost.context["form"]["title"].value() == "Nobody knows"
    sandbox.control("DELETE", "/faults")
    assert not Resource.objects.filter(title="Nobody knows").exists()
    assert client.post(NEW, handed_in("Nobody knows")).status_code == 422
    assert len(named(desk, "Nobody knows")) == 1
    assert Resource.objects.filter(title="Nobody knows").exists()
    assert len(desk.calls("POST", "/resources")) == 2


def test_a_new_version_begins_with_what_the_old_one_says(client, owner, desk):
    old = Resource.objects.filter(is_public=True).order_by("pk")[0]
    form = client.get(f"{NEW}?like={old.platform_id}").context["form"]
    assert (form["title"].value(), form["access"].value()) == (old.title, "public")
    assert client.post(f"{NEW}?like={old.platform_id}", handed_in(old.title, name="new version.pdf")).status_code == 302
    assert len(named(desk, old.title)) == 2


def test_a_document_is_deleted_by_an_admin_and_leaves_nothing_to_check(client, owner, desk, member):
    row = Resource.objects.order_by("pk")[0]
    services.set_renewal(row, RenewalRule.DAY, renew_on=row.created_at.date(), member=owner)
    assert ContentCheck.objects.exists()
    page = resource_url("acme", row.platform_id)
    approver = find_member(user=member(Role.APPROVER))
    with pytest.raises(PermissionDenied):
        services.delete_resource(row, member=approver)
    client.force_login(approver.user)
    assert client.post(f"{page}delete/").status_code == 403
    assert row.platform_id in desk.there("resources")
    client.force_login(owner.user)
    assert client.post(f"{page}delete/")["Location"] == f"{PAGE}resources/"
    assert row.platform_id not in desk.there("resources")
    assert Resource.objects.get(pk=row.pk).gone_at
    assert not ContentCheck.objects.exists()
    assert client.post(f"{page}delete/").status_code == 404, "pressed twice"
    assert Entry.objects.filter(action="resource.delete", target_id=row.platform_id).count() == 1
    assert client.get(page).status_code == 200, "what it was can still be read"


def test_a_deletion_whose_answer_is_lost_is_looked_up(client, owner, desk, sandbox):
    row = Resource.objects.order_by("pk")[0]
    sandbox.fail("drop_answer", method="DELETE", path=f"{CALL}/resources/*", times=1)
    assert client.post(f"{resource_url('acme', row.platform_id)}delete/")["Location"] == f"{PAGE}resources/"
    assert Resource.objects.get(pk=row.pk).gone_at
    assert len(desk.calls("DELETE", "/resources/")) == 1
