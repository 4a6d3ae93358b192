"""Subscribers who are told of an update that is on the Trust Center: once, and never by a blind repetition."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from portal.audit.models import Entry
from portal.connections.models import Connection, State
from portal.platform_writes.models import ItemState
from portal.sync.models import StaleMark
from portal.trust_center import update_forms
from portal.trust_center.models import Publication, SubscriberGroup, SubscriberInGroup, Update
from portal.trust_center.services import publications
from portal.work_items.models import WorkItem
from tests.trust_center.conftest import CALL
from tests.trust_center.publications import FORM, NEW, THERE, UPDATES, let_pass, page_of, state
from tests.work_items.support import work_off


def tell(client, row: Update, **values: object) -> Publication:
    assert client.post(f"{UPDATES}{row.platform_id}/send/", {"step": "publish"} | values).status_code == 302
    return Publication.objects.order_by("-pk")[0]


@pytest.fixture
def row(desk) -> Update:
    return Update.objects.present()[0]


@pytest.mark.both
def test_subscribers_are_told_of_an_update_that_is_there(client, owner, desk, row):
    page = f"{UPDATES}{row.platform_id}/send/"
    everybody = {each["email"] for each in desk.there("subscribers").values()}
    assert client.post(page, {"target": "NONE"}).status_code == 422, "to send it to nobody is nothing to do"
    looked_at = client.post(page, {"target": "ALL"})
    assert (looked_at.context["number"], looked_at.context["text"].title) == (len(everybody), row.title)
    assert client.post(page, {"target": "ALL", "step": "write"}).status_code == 200
    publication = tell(client, row, target="ALL")
    assert client.post(f"{page_of(publication)}undo/").status_code == 302
    let_pass(publication)
    assert not desk.calls("POST", "/notify-all-subscribers")
    publication = let_pass(tell(client, row, target="ALL"))
    assert (state(publication), set(desk.there(THERE)[row.platform_id]["notifiedEmails"])) == (ItemState.DONE, everybody)
    assert client.get(f"{UPDATES}{row.platform_id}/").context["number"] == len(everybody)
    assert "Sent by" in client.get(page_of(publication)).content.decode()
    assert [*Entry.objects.filter(target_id=row.platform_id).values_list("action", flat=True)] == ["update.tell"]


def test_w1_a_group_is_told_and_a_lost_answer_is_looked_up(client, owner, desk, sandbox, row):
    group_id = SubscriberInGroup.objects.all()[0].group_id
    sandbox.fail("drop_answer", method="POST", path=f"{CALL}/updates/*", times=1)
    publication = let_pass(tell(client, row, target="GROUPS", groups=[group_id]))
    number = SubscriberInGroup.objects.filter(group_id=group_id).count()
    assert (state(publication), len(desk.there(THERE)[row.platform_id]["notifiedEmails"])) == (ItemState.DONE, number)
    # They have been told before: a look tells nothing now, and no mail is sent twice by itself.
    sandbox.fail("drop_answer", method="POST", path=f"{CALL}/updates/*", times=1)
    publication = let_pass(tell(client, row, target="GROUPS", groups=[group_id]))
    for _ in range(5):
        publication = let_pass(publication)
    assert state(publication) == ItemState.FAILED
    assert len(desk.calls("POST", "/notify-specific-subscribers")) == 2
    # On Today nobody repeats it: the page with its button says what that may do.
    work_off()
    today = client.get("/t/acme/").content.decode()
    assert ("Not confirmed: 1 update" in today, "Not changed: 1 update" in today) == (True, False)
    client.post(f"/t/acme/today/{WorkItem.objects.get(kind='publication').pk}/retry/")
    assert (state(publication), len(desk.calls("POST", "/notify-specific-subscribers"))) == (ItemState.FAILED, 2)
    client.post(f"{page_of(publication)}retry/")
    assert state(let_pass(publication)) == ItemState.DONE
    assert len(desk.calls("POST", "/notify-specific-subscribers")) == 3


def test_another_group_and_another_update_of_the_same_title_are_not_taken_for_what_is_on_its_way(client, owner, desk, row):
    first, second = SubscriberGroup.objects.present().values_list("platform_id", flat=True)[:2]
    publication = tell(client, row, target="GROUPS", groups=[first])
    assert tell(client, row, target="GROUPS", groups=[first]) == publication, "pressed twice"
    page = f"{UPDATES}{row.platform_id}/send/"
    answer = client.post(page, {"step": "publish", "target": "GROUPS", "groups": [second]})
    assert (answer.status_code, answer.context["form"]["groups"].value()) == (422, [second])
    assert "Another update with this title is in progress" in answer.content.decode()
    said = {name: getattr(row, name) for name in ("title", "description", "category", "is_public")}
    other = Update.objects.present().exclude(pk=row.pk)[0]
    Update.objects.filter(pk=other.pk).update(**said)
    same = client.post(f"{UPDATES}{other.platform_id}/send/", {"step": "publish", "target": "GROUPS", "groups": [first]})
    assert (same.status_code, Publication.objects.get()) == (422, publication)


def test_what_was_sent_and_cannot_be_read_back_is_done(client, owner, desk, sandbox, row):
    publication = tell(client, row, target="ALL")
    sandbox.fail("status", method="GET", path=f"{CALL}/updates/*", value=503, times=9)
    assert state(let_pass(publication)) == ItemState.DONE
    assert StaleMark.objects.filter(kind="update", object_id=row.platform_id, urgent=True).exists()


def test_what_was_sent_is_done_also_where_the_grant_ends_before_it_is_read_back(client, owner, desk, sandbox, row, monkeypatch):
    @contextmanager
    def end() -> Iterator[None]:
        Connection.objects.update(state=State.NEEDS_RECONNECTION)
        yield

    publication = tell(client, row, target="ALL")
    monkeypatch.setattr(publications, "reserved_calls", end)
    sandbox.fail("status", method="GET", path=f"{CALL}/updates/*", value=401, times=9)
    assert state(let_pass(publication)) == ItemState.DONE


def test_an_update_that_is_gone_there_is_said(client, owner, desk, row):
    publication = tell(client, row, target="ALL")
    desk.objects.delete(desk.tenant_id, THERE, row.platform_id)
    publication = let_pass(publication)
    assert state(publication) == ItemState.FAILED
    assert "anymore" in client.get(page_of(publication)).content.decode()


def test_more_people_or_groups_than_the_platform_takes_are_refused_before(client, owner, desk, monkeypatch):
    monkeypatch.setattr(update_forms, "MAX_RECIPIENTS", 3)
    assert "target" in client.post(NEW, FORM | {"target": "ALL"}).context["form"].errors
    assert client.post(NEW, FORM | {"target": "NONE"}).status_code == 200
    monkeypatch.setattr(update_forms, "MAX_GROUPS", 1)
    groups = [*SubscriberGroup.objects.values_list("platform_id", flat=True)[:2]]
    assert "groups" in client.post(NEW, FORM | {"target": "GROUPS", "groups": groups}).context["form"].errors
