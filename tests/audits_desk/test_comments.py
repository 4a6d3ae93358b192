"""Comments: read with deleted ones, written once however often sent, changed and deleted by their author alone."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from portal.audit.models import Entry
from portal.engagements.models import EngagementControl, EngagementPart
from portal.engagements.services import NotTheAuthor, add_comment, change_comment
from portal.tenants.models import Role
from tests.audits_desk.conftest import PAGE
from tests.support.members import find_member

pytestmark = pytest.mark.once
WORDS = "Please add the list of 2026."


def page_of(row: object, tab: str = "requests") -> str:
    return f"{PAGE}{row.engagement.platform_id}/{tab}/{row.platform_id}/"


def sent(text: str = WORDS) -> dict[str, str]:
    return {"text": text, "written_at": timezone.now().isoformat()}


def mine(desk, row, kind: str = "request-comments") -> list[dict]:
    return [each for each in desk.of(row, kind) if each["email"] == "alice@acme.example"]


def test_a_deleted_comment_is_shown_as_deleted(client, owner, desk, row):
    desk.take_back(desk.comment(row, "Never mind this."))
    desk.read(row)
    shown = client.get(page_of(row)).content.decode()
    assert all(each["text"] in shown for each in desk.of(row, "request-comments") if not each["deletionDate"])
    assert "Never mind this." not in shown
    assert "Deleted <time" in shown


@pytest.mark.parametrize(
    ("tab", "kind"),
    [("requests", "request-comments"), ("evidence", "evidence-comments"), ("controls", "audit-control-comments")],
)
def test_a_comment_is_written_in_the_name_of_the_member(client, owner, desk, row, item, tab, kind):
    control = EngagementControl.objects.select_related("engagement")[0]
    subject = {"requests": row, "evidence": item, "controls": control}[tab]
    desk.read(subject)
    client.post(f"{page_of(subject, tab)}comments/", {"text": "  "})
    assert mine(desk, subject, kind) == []
    client.post(f"{page_of(subject, tab)}comments/", sent())
    [said] = mine(desk, subject, kind)
    assert said["text"] == WORDS
    shown = client.get(page_of(subject, tab)).content.decode()
    assert WORDS in shown
    assert ("Edit your comment" in shown) == (tab != "evidence"), "comments on evidence cannot be changed on the platform"
    [entry] = Entry.objects.filter(action__endswith=".comment", target_id=subject.platform_id)
    assert WORDS not in entry.summary


def test_r3_a_comment_written_before_the_others_were_read_is_shown(client, owner, desk):
    row = desk.request()
    assert "Not checked yet." in client.get(page_of(row)).content.decode()
    client.post(f"{page_of(row)}comments/", sent())
    shown = client.get(page_of(row)).content.decode()
    assert WORDS in shown
    assert "Edit your comment" in shown
    assert "Other comments aren't checked yet." in shown
    desk.read(row)
    assert "Other comments" not in client.get(page_of(row)).content.decode()


def test_a_comment_of_two_lines_is_sent_with_the_line_breaks_that_are_stored(client, owner, desk, row):
    client.post(f"{page_of(row)}comments/", sent("One.\r\nTwo."))
    [said] = mine(desk, row)
    assert said["text"] == "One.\nTwo."


def test_w1_a_comment_sent_again_after_a_lost_answer_is_there_once(client, owner, desk, row):
    opened = (timezone.now() - timedelta(seconds=30)).isoformat()
    form, path = sent() | {"written_at": opened}, "/v1/audits/*/information-requests/*/comments"
    desk.sandbox.fail("drop_answer", method="POST", path=path, times=1)
    client.post(f"{page_of(row)}comments/", form)
    client.post(f"{page_of(row)}comments/", form)
    assert len(mine(desk, row)) == 1
    assert len(desk.calls("POST", "/comments")) == 1
    client.post(f"{page_of(row)}comments/", sent())
    assert len(mine(desk, row)) == 2, "the same words in another form are another comment"


def test_ones_own_comment_is_changed_and_deleted(client, owner, desk, row):
    client.post(f"{page_of(row)}comments/", sent())
    [said] = mine(desk, row)
    page = f"{page_of(row)}comments/{said['id']}/"
    client.post(page, {"text": "Please add both lists."})
    assert mine(desk, row)[0]["text"] == "Please add both lists."
    client.post(f"{page}delete/")
    assert mine(desk, row)[0]["deletionDate"]
    shown = client.get(page_of(row)).content.decode()
    assert "Please add both lists." not in shown
    assert {each.action for each in Entry.objects.filter(target_kind="information_request")} == {
        *(f"information_request.{verb}" for verb in ("comment", "change_comment", "delete_comment"))
    }
    # Deleted already: the platform has no such comment to change (specification 7).
    again = client.post(page, {"text": "Once more."}, follow=True).content.decode()
    assert "have this anymore" in again


def test_a_comment_on_a_control_vanishes_with_its_deletion(client, owner, desk, audit):
    control = EngagementControl.objects.select_related("engagement").filter(engagement=audit)[0]
    client.post(f"{page_of(control, 'controls')}comments/", sent())
    [said] = mine(desk, control, "audit-control-comments")
    client.post(f"{page_of(control, 'controls')}comments/{said['id']}/delete/")
    assert mine(desk, control, "audit-control-comments")[0]["deletionDate"]
    assert not EngagementPart.objects.filter(kind="control_comment", platform_id=said["id"]).exists()


def test_a_comment_of_somebody_else_stays(client, owner, desk, row):
    said = desk.comment(row, "From the customer.")
    desk.read(row)
    page = f"{page_of(row)}comments/{said['id']}/"
    assert "Only its author" in client.post(page, {"text": "Mine now."}, follow=True).content.decode()
    client.post(f"{page}delete/")
    assert [each["text"] for each in desk.of(row, "request-comments") if each["id"] == said["id"]] == ["From the customer."]
    part = EngagementPart.objects.get(platform_id=said["id"])
    with pytest.raises(NotTheAuthor):
        change_comment(row, part, "Mine now.", member=owner)


def test_a_viewer_comments_nowhere(client, desk, row, member, scoped):
    viewer = member(Role.VIEWER)
    client.force_login(viewer)
    assert "New comment" not in client.get(page_of(row)).content.decode()
    assert client.post(f"{page_of(row)}comments/", sent()).status_code == 403
    with pytest.raises(PermissionDenied):
        add_comment(row, WORDS, written_at=timezone.now(), member=find_member(tenant=scoped, user=viewer))
    assert desk.calls("POST", "/comments") == []
