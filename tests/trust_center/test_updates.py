"""Updates: published after half a minute unless undone, sent once whatever becomes of the answer, changed and deleted."""

from datetime import timedelta
from unittest.mock import Mock

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from portal.audit.models import Entry
from portal.platform_api.areas.trust_center_news import Updates
from portal.platform_api.errors import Unavailable
from portal.platform_writes.models import ItemState
from portal.tenants.models import Role
from portal.trust_center import services
from portal.trust_center.kinds import PUBLICATION
from portal.trust_center.models import WINDOW, Publication, PublicationItem, SubscriberGroup, SubscriberInGroup, Target, Update
from portal.trust_center.tasks import sweep_publications, work_on_publication
from portal.work_items.kinds import kind_named
from tests.support.members import find_member
from tests.support.refusers import opened
from tests.trust_center.conftest import CALL
from tests.trust_center.publications import FORM, NEW, THERE, UPDATE, UPDATES, let_pass, page_of, state


def publish(client, **values: object) -> Publication:
    answer = client.post(NEW, FORM | {"step": "publish"} | values)
    assert answer.status_code == 302, answer.context["form"].errors
    return Publication.objects.order_by("-pk")[0]


def published(desk) -> list[dict]:
    return [found for found in desk.there(THERE).values() if found["title"] == UPDATE["title"]]


@pytest.mark.both
def test_an_update_is_written_looked_at_held_back_and_published_to_a_group(client, desk, member):
    approver = member(Role.APPROVER)
    client.force_login(approver)
    group = SubscriberGroup.objects.get(platform_id=SubscriberInGroup.objects.all()[0].group_id)
    inside = {
        each["email"] for each in desk.there("subscribers").values() if group.platform_id in [g["id"] for g in each["groups"]]
    }
    chosen = {"target": "GROUPS", "groups": [group.platform_id]}
    looked_at = client.post(NEW, FORM | chosen)
    assert (looked_at.status_code, looked_at.context["number"]) == (200, len(inside))
    assert {str(each) for each in (looked_at.context["everybody"] or looked_at.context["named"])} == inside
    again = client.post(NEW, FORM | chosen | {"step": "write"})
    assert (again.status_code, again.context["form"]["title"].value()) == (200, UPDATE["title"])
    publication = publish(client, **chosen)
    assert abs(publication.due_at - timezone.now() - WINDOW) < timedelta(seconds=10)
    work_on_publication(publication.tenant_id, publication.pk)
    assert not desk.calls("POST", "/updates"), "nothing leaves before its time"
    held = client.get(page_of(publication))
    assert (held.context["is_scheduled"], "Requested by" in held.content.decode()) == (True, True)
    assert "ublished by" not in held.content.decode()
    assert client.get(UPDATES).context["publications"] == [publication]
    publication = let_pass(publication)
    [found] = published(desk)
    assert set(found["notifiedEmails"]) == inside
    assert (publication.update_id, state(publication)) == (found["id"], ItemState.DONE)
    assert client.get(UPDATES).context["page"].rows[0].platform_id == found["id"]
    shown = client.get(f"{UPDATES}{found['id']}/")
    assert (shown.context["number"], shown.context["update"].is_public) == (len(inside), True)
    sent = client.get(page_of(publication))
    assert (sent.context["update_url"], "Published by" in sent.content.decode()) == (f"{UPDATES}{found['id']}/", True)
    done = Entry.objects.filter(target_id=found["id"]).get()
    assert (done.action, done.actor) == ("update.publish", approver)
    assert str(group) in done.summary


def test_w3_what_is_undone_never_leaves_and_can_be_written_again(client, owner, desk):
    publication = publish(client, target="ALL")
    assert client.post(f"{page_of(publication)}undo/").status_code == 302
    page = client.get(page_of(publication)).content.decode()
    assert ("Undone" in page, "Requested by" in page) == (True, True)
    let_pass(publication)
    sweep_publications()
    assert not desk.calls("POST", "/updates")
    again = client.get(f"{NEW}?again={publication.pk}").context["form"]
    assert (again["title"].value(), again["target"].value()) == (UPDATE["title"], "ALL")
    assert Entry.objects.filter(action="update.undo", target_id=str(publication.pk)).exists()
    sent = let_pass(publish(client))
    client.post(f"{page_of(sent)}undo/")
    assert len(published(desk)) == 1
    with pytest.raises(services.TooLate):
        services.undo_publication(sent, member=owner)
    assert client.get(f"{NEW}?again={sent.pk}").context["form"]["title"].value() == ""


@pytest.mark.both
def test_w1_a_lost_answer_is_looked_up_and_no_mail_is_sent_twice(client, owner, desk, sandbox):
    sandbox.fail("drop_answer", method="POST", path=f"{CALL}/updates", times=1)
    publication = let_pass(publish(client, target="ALL"))
    assert (state(publication), len(published(desk))) == (ItemState.DONE, 1)
    assert len(desk.calls("POST", "/updates")) == 1
    # The same text once more is another update.
    assert let_pass(publish(client)).update_id != publication.update_id
    assert len(published(desk)) == 2


def test_w1_what_may_have_arrived_is_only_looked_for_until_a_person_decides(client, owner, desk, sandbox):
    sandbox.fail("status", method="POST", path=f"{CALL}/updates", value=502, times=1)
    publication = let_pass(publish(client, target="ALL"))
    assert state(publication) == ItemState.UNCERTAIN
    for _ in range(5):
        publication = let_pass(publication)
    assert (state(publication), published(desk)) == (ItemState.FAILED, [])
    assert len(desk.calls("POST", "/updates")) == 1
    page = client.get(page_of(publication)).content.decode()
    assert "Not published" in page
    assert client.post(f"{page_of(publication)}undo/").status_code == 302
    assert client.post(f"{page_of(publication)}retry/").status_code == 302
    publication = let_pass(publication)
    assert (state(publication), len(published(desk))) == (ItemState.DONE, 1)


def test_w1_what_a_person_tries_again_is_looked_for_first(client, owner, desk):
    publication = let_pass(publish(client, target="ALL"))
    # As a worker leaves it that never got to hear what came of the call.
    PublicationItem.objects.update(state=ItemState.FAILED, is_in_doubt=True)
    Publication.objects.update(finished_at=timezone.now(), update_id="")
    client.post(f"{page_of(publication)}retry/")
    publication = let_pass(publication)
    assert (state(publication), len(published(desk)), len(desk.calls("POST", "/updates"))) == (ItemState.DONE, 1, 1)


def test_w1_what_has_not_left_is_sent_later_by_itself(client, owner, desk, monkeypatch):
    with monkeypatch.context() as without_network:
        # No fault of the sandbox's: it would have to be reached.
        without_network.setattr(Updates, "create", Mock(side_effect=Unavailable("POST", "/updates", sent=False)))
        publication = let_pass(publish(client, target="ALL"))
    assert (state(publication), published(desk)) == (ItemState.WAITING, [])
    publication = let_pass(publication)
    assert (state(publication), len(published(desk))) == (ItemState.DONE, 1)


def test_w3_what_a_worker_has_or_may_have_sent_is_not_undone(client, owner, desk):
    publication = publish(client)
    rows, items = Publication.objects.filter(pk=publication.pk), PublicationItem.objects.filter(run=publication)
    rows.update(lease_until=timezone.now() + timedelta(minutes=1))
    with pytest.raises(services.TooLate):
        services.undo_publication(publication, member=owner)
    rows.update(lease_until=None)
    items.update(is_in_doubt=True)
    with pytest.raises(services.TooLate):
        services.undo_publication(publication, member=owner)
    items.update(is_in_doubt=False)
    services.undo_publication(publication, member=owner)
    assert not items.exists()


def test_an_update_that_said_the_same_long_ago_is_another_one(client, owner, desk):
    old = Update.objects.present().last()
    said = {"title": old.title, "text": old.description, "category": old.category}
    publication = let_pass(publish(client, **said))
    assert (state(publication), publication.update_id == old.platform_id) == (ItemState.DONE, False)
    assert len(desk.calls("POST", "/updates")) == 1


def test_what_the_platform_refuses_is_said_and_nothing_is_kept_as_published(client, owner, desk, sandbox):
    sandbox.fail("status", method="POST", path=f"{CALL}/updates", value=403, times=1)
    publication = let_pass(publish(client))
    assert (state(publication), publication.update_id) == (ItemState.FAILED, "")
    assert "Nothing was changed." in client.get(page_of(publication)).content.decode()


def test_s7_whoever_lost_the_role_meanwhile_publishes_nothing(client, desk, member):
    approver = member(Role.APPROVER)
    client.force_login(approver)
    publication = publish(client)
    membership = find_member(user=approver)
    membership.role = Role.ANALYST
    membership.save()
    assert state(let_pass(publication)) == ItemState.FAILED
    assert published(desk) == []
    assert client.get(NEW).status_code == 403
    assert client.post(f"{page_of(publication)}retry/").status_code == 403
    with pytest.raises(PermissionDenied):
        services.undo_publication(publication, member=membership)
    text = services.UpdateText(title="A", description="B", category="GENERAL", is_public=True)
    with pytest.raises(PermissionDenied):
        services.publish(text, services.Audience(target=Target.ALL), member=membership)


@pytest.mark.both
def test_a_button_that_is_pressed_twice_publishes_once(client, owner, desk):
    first, second = publish(client, target="ALL"), publish(client, target="ALL")
    assert first == second
    let_pass(first)
    assert len(desk.calls("POST", "/updates")) == 1


@pytest.mark.both
@pytest.mark.parametrize(
    "other",
    [{"text": "Corrected."}, {"readers": "viewers"}, {"category": "SECURITY"}, {"target": "NONE"}],
    ids=lambda each: next(iter(each)),
)
def test_another_update_with_the_title_of_one_on_its_way_is_refused_and_stays_in_the_form(client, owner, desk, other):
    first = publish(client, target="ALL")
    answer = client.post(NEW, FORM | {"target": "ALL", "step": "publish"} | other)
    assert answer.status_code == 422
    assert "Another update with this title is in progress" in answer.content.decode()
    assert {name: answer.context["form"][name].value() for name in other} == other
    assert Publication.objects.get() == first


@pytest.mark.both
def test_a_failed_update_is_not_tried_again_while_another_one_with_its_title_is_on_its_way(client, owner, desk, sandbox):
    sandbox.fail("status", method="POST", path=f"{CALL}/updates", value=403, times=1)
    failed = let_pass(publish(client))
    corrected = publish(client, text="Corrected.")
    said = client.post(f"{page_of(failed)}retry/", follow=True).content.decode()
    assert "Another update with this title is in progress" in said
    work = kind_named(PUBLICATION)
    assert work is not None
    with pytest.raises(work.refusals) as refused:
        work.actions["retry"].run(failed.pk, owner, {})
    assert "in progress" in work.error_message(refused.value, "acme")
    assert (state(failed), Publication.objects.get(pk=failed.pk).is_over) == (ItemState.FAILED, True)
    let_pass(corrected)
    client.post(f"{page_of(failed)}retry/")
    assert state(let_pass(failed)) == ItemState.DONE
    assert len(published(desk)) == 2


def test_what_is_not_whole_is_said_beside_its_field(client, owner, desk):
    answer = client.post(NEW, FORM | {"title": "", "target": "GROUPS", "step": "publish"})
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"title", "groups"}
    assert client.post(NEW, FORM | {"target": "GROUPS", "groups": ["somebody-else"]}).status_code == 422
    assert not Publication.objects.exists()


@pytest.mark.both
def test_an_update_is_changed_once_seen_and_deleted(client, owner, desk):
    row = Update.objects.present()[0]
    page = f"{UPDATES}{row.platform_id}/"
    form = client.get(f"{page}edit/").context["form"]
    values = {name: form[name].value() for name in form.fields}
    assert client.post(f"{page}edit/", values).status_code == 302
    assert not desk.calls("PATCH", "/updates"), "nothing was different"
    assert client.post(f"{page}edit/", values | {"title": "Corrected", "readers": "viewers"})["Location"] == page
    assert (desk.there(THERE)[row.platform_id]["title"], desk.there(THERE)[row.platform_id]["visibilityType"]) == (
        "Corrected",
        "PRIVATE",
    )
    changed = client.post(f"{page}edit/", values | {"title": "Overwritten"})
    assert (changed.status_code, changed.context["has_changed"]) == (422, True)
    assert desk.there(THERE)[row.platform_id]["title"] == "Corrected"
    assert client.post(f"{page}delete/")["Location"] == UPDATES
    assert row.platform_id not in desk.there(THERE)
    assert client.get(page).status_code == 200, "what it was can still be read"
    actions = Entry.objects.filter(target_id=row.platform_id).order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["update.change", "update.delete"]


def test_c3_a_word_for_who_sees_it_that_nobody_knows_stays_when_the_text_is_changed(client, owner, desk):
    row = Update.objects.present()[0]
    desk.change(THERE, row.platform_id, visibilityType="PARTNERS")
    desk.compare()
    page = f"{UPDATES}{row.platform_id}/"
    form = client.get(f"{page}edit/").context["form"]
    values = {name: form[name].value() for name in form.fields} | {"title": "Renamed"}
    assert client.post(f"{page}edit/", values)["Location"] == page
    there = desk.there(THERE)[row.platform_id]
    assert (there["title"], there["visibilityType"]) == ("Renamed", "PARTNERS")


def test_w2_what_was_typed_stays_when_the_update_is_gone_meanwhile(client, owner, desk):
    row = Update.objects.present()[0]
    page = f"{UPDATES}{row.platform_id}/edit/"
    form = client.get(page).context["form"]
    mine = {name: form[name].value() for name in form.fields} | {"text": "Mine."}
    desk.objects.delete(desk.tenant_id, THERE, row.platform_id)
    Update.objects.filter(pk=row.pk).update(gone_at=timezone.now())
    answer = client.post(page, mine)
    assert (answer.status_code, answer.context["form"]["text"].value()) == (422, "Mine.")
    assert "have this anymore" in answer.content.decode()
    assert client.get(page).status_code == 404


@pytest.mark.both
def test_the_list_is_narrowed_and_searched(client, owner, desk):
    rows = list(Update.objects.present())
    assert [row.created_at for row in rows] == sorted((row.created_at for row in rows), reverse=True)
    first = rows[0]

    def listed(query: str) -> set[str]:
        return {row.platform_id for row in client.get(f"{UPDATES}{query}").context["page"].rows}

    assert listed(f"?category={first.category}") == {row.platform_id for row in rows if row.category == first.category}
    assert listed("?access=viewers") == {row.platform_id for row in rows if not row.is_public}
    assert first.platform_id in listed(f"?q={first.title.split()[-1]}")


@pytest.mark.both
def test_w2_an_update_with_a_title_longer_than_our_column_is_changed_and_keeps_all_of_it(client, owner, desk):
    row = Update.objects.present()[0]
    long = {"title": "Maintenance " * 40 + "ends", "description": "One.\n" * 12_000 + "The end."}
    desk.change(THERE, row.platform_id, **long)
    desk.compare()
    page = f"{UPDATES}{row.platform_id}/"
    edit, values = opened(client, f"{page}edit/", category="SECURITY")
    assert client.post(edit, values)["Location"] == page
    there = desk.there(THERE)[row.platform_id]
    assert {name: there[name] for name in ("title", "description", "category")} == long | {"category": "SECURITY"}
    longer = client.post(edit, values | {"title": long["title"] + "!"})
    assert (longer.status_code, set(longer.context["form"].errors)) == (422, {"title"})
