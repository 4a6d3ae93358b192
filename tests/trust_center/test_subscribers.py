"""Subscribers of updates and their groups: added once, moved, removed; their addresses go when they are erased."""

import pytest

from portal.audit.models import Entry
from portal.tenants import erased_people, personal_data
from portal.tenants.models import Role
from portal.trust_center import services
from portal.trust_center.kinds import SUBSCRIBER
from portal.trust_center.models import Subscriber, SubscriberGroup, SubscriberInGroup, Update
from tests.support.desks import compare_late
from tests.trust_center.conftest import CALL, PAGE

SUBSCRIBERS, GROUPS = f"{PAGE}subscribers/", f"{PAGE}subscribers/groups/"
EMAIL = "reader@customer.example"


def there(desk, email: str = EMAIL) -> list[dict]:
    return [each for each in desk.there("subscribers").values() if each["email"] == email]


def listed(client, query: str = "") -> set[str]:
    return {str(row) for row in client.get(f"{SUBSCRIBERS}{query}").context["page"].rows}


def seen_in(client, page: str) -> str:
    return client.get(page).context["form"].version


@pytest.mark.both
def test_a_subscriber_is_added_once_put_into_groups_and_removed(client, desk, member):
    approver = member(Role.APPROVER)
    client.force_login(approver)
    first, second = SubscriberGroup.objects.present()[:2]
    assert client.post(f"{SUBSCRIBERS}new/", {"email": "nobody"}).status_code == 422
    assert client.post(f"{SUBSCRIBERS}new/", {"email": EMAIL, "groups": [first.platform_id]})["Location"] == SUBSCRIBERS
    assert client.post(f"{SUBSCRIBERS}new/", {"email": EMAIL.upper()}).status_code == 422
    [found] = there(desk)
    assert (found["isEmailVerified"], [each["id"] for each in found["groups"]]) == (False, [first.platform_id])
    row = Subscriber.objects.get(email=EMAIL)
    assert EMAIL in listed(client, f"?group={first.platform_id}")
    assert EMAIL in listed(client, "?confirmed=no")
    assert EMAIL not in listed(client, "?confirmed=yes")
    groups = f"{SUBSCRIBERS}{row.platform_id}/groups/"
    assert client.get(groups).context["form"]["groups"].value() == [first.platform_id]
    client.post(groups, {"groups": [second.platform_id], "seen": seen_in(client, groups)})
    assert [each["id"] for each in there(desk)[0]["groups"]] == [second.platform_id]
    assert EMAIL not in listed(client, f"?group={first.platform_id}")
    client.post(groups, {"seen": seen_in(client, groups)})
    assert there(desk)[0]["groups"] == []
    client.post(f"{SUBSCRIBERS}{row.platform_id}/remove/")
    assert there(desk) == []
    assert EMAIL not in listed(client)
    done = Entry.objects.filter(target_id=row.platform_id, actor=approver).order_by("pk")
    assert list(done.values_list("action", flat=True)) == [
        "subscriber.add",
        *["subscriber.groups"] * 3,
        "subscriber.remove",
    ]
    assert EMAIL not in str(list(done.values_list("summary", "details")))


def test_an_analyst_reads_and_changes_nothing(client, desk, member):
    client.force_login(member(Role.ANALYST))
    row, group = Subscriber.objects.all()[0], SubscriberGroup.objects.all()[0]
    assert listed(client)
    assert client.get(GROUPS).status_code == 200
    assert client.get(f"{SUBSCRIBERS}new/").status_code == 403
    for path in (
        f"{row.platform_id}/groups/",
        f"{row.platform_id}/remove/",
        "groups/new/",
        f"groups/{group.platform_id}/delete/",
    ):
        assert client.post(f"{SUBSCRIBERS}{path}").status_code == 403
    assert len(desk.there("subscribers")) == Subscriber.objects.present().count()


@pytest.mark.both
def test_a_group_is_added_once_renamed_and_deleted(client, owner, desk):
    client.post(f"{GROUPS}new/", {"name": "Resellers"})
    client.post(f"{GROUPS}new/", {"name": "Resellers"})
    [made] = [each for each in desk.there("subscriber-groups").values() if each["name"] == "Resellers"]
    client.post(f"{GROUPS}{made['id']}/rename/", {"name": "Partners"})
    assert desk.there("subscriber-groups")[made["id"]]["name"] == "Partners"
    full = SubscriberInGroup.objects.all()[0].group_id
    number = len(desk.there("subscribers"))
    shown = client.get(GROUPS).context["rows"]
    assert {row["group"].platform_id: row["number"] for row in shown}[full] == SubscriberInGroup.objects.filter(
        group_id=full
    ).count()
    client.post(f"{GROUPS}{full}/delete/")
    assert full not in desk.there("subscriber-groups")
    assert len(desk.there("subscribers")) == number
    assert not SubscriberInGroup.objects.filter(group_id=full).exists()
    before = set(SubscriberInGroup.objects.values_list("subscriber__platform_id", "group_id"))
    desk.compare()
    assert set(SubscriberInGroup.objects.values_list("subscriber__platform_id", "group_id")) == before


def test_w2_groups_that_somebody_else_has_chosen_meanwhile_are_shown_before_they_are_replaced(client, owner, desk):
    first, second = SubscriberGroup.objects.present()[:2]
    row = Subscriber.objects.exclude(groups__group_id=second.platform_id)[0]
    page = f"{SUBSCRIBERS}{row.platform_id}/groups/"
    mine = {"groups": [first.platform_id], "seen": seen_in(client, page)}
    services.set_groups(row, [second.platform_id], seen=mine["seen"], member=owner)
    for _ in range(2):
        shown = client.post(page, mine)
        assert (shown.status_code, shown.context["now"]) == (422, [str(second)])
        assert shown.context["form"]["groups"].value() == mine["groups"]
    assert [each["id"] for each in there(desk, row.email)[0]["groups"]] == [second.platform_id]
    assert client.post(page, mine | {"seen": shown.context["form"]["seen"].value()}).status_code == 302
    assert [each["id"] for each in there(desk, row.email)[0]["groups"]] == [first.platform_id]


def test_somebody_whose_groups_could_not_be_set_is_said_to_be_added(client, owner, desk, sandbox):
    group = SubscriberGroup.objects.present()[0]
    sandbox.fail("status", method="PUT", path=f"{CALL}/subscribers/*", value=403, times=1)
    answer = client.post(f"{SUBSCRIBERS}new/", {"email": EMAIL, "groups": [group.platform_id]}, follow=True)
    page = f"{SUBSCRIBERS}{Subscriber.objects.get(email=EMAIL).platform_id}/groups/"
    assert answer.redirect_chain == [(page, 302)]
    assert "Subscriber added. The groups could not be set" in answer.content.decode()
    assert there(desk)[0]["groups"] == []
    client.post(page, {"groups": [group.platform_id], "seen": answer.context["form"].version})
    assert [each["id"] for each in there(desk)[0]["groups"]] == [group.platform_id]


def test_a_lost_answer_adds_nobody_twice(client, owner, desk, sandbox):
    sandbox.fail("drop_answer", method="POST", path=f"{CALL}/subscribers", times=1)
    assert client.post(f"{SUBSCRIBERS}new/", {"email": EMAIL}).status_code == 302
    assert (len(there(desk)), len(desk.calls("POST", "/subscribers"))) == (1, 1)


def test_s11_whoever_is_erased_is_a_subscriber_no_longer_and_stands_in_no_update(desk):
    row = Subscriber.objects.all()[0]
    update = Update.objects.all()[0]
    there = desk.objects.get(desk.tenant_id, "updates", update.platform_id)
    desk.objects.save(desk.tenant_id, "updates", there | {"notifiedEmails": [row.email, "other@customer.example"]})
    desk.compare()
    email = row.email
    assert personal_data.count(email) == {"Recipients of updates": 1, "Subscribers of updates": 1}
    erased_people.erase(email)
    for _ in range(2):
        assert personal_data.count(email) == {}
        assert Update.objects.get(pk=update.pk).notified == ["[erased]", "other@customer.example"]
        # The platform goes on naming them.
        desk.compare()


def test_q11_a_list_from_before_a_change_takes_nothing_back(client, owner, desk):
    moved, gone = Subscriber.objects.present()[:2]
    first, second = SubscriberGroup.objects.present().values_list("platform_id", flat=True)[:2]
    was_in = set(SubscriberInGroup.objects.filter(subscriber=moved).values_list("group_id", flat=True))
    group = second if was_in == {first} else first
    groups = f"{SUBSCRIBERS}{moved.platform_id}/groups/"

    def change():
        client.post(groups, {"groups": [group], "seen": seen_in(client, groups)})
        client.post(f"{SUBSCRIBERS}{gone.platform_id}/remove/")

    compare_late(desk.mirrors, SUBSCRIBER, change)
    assert list(SubscriberInGroup.objects.filter(subscriber=moved).values_list("group_id", flat=True)) == [group]
    assert not Subscriber.objects.present().filter(pk=gone.pk).exists()
