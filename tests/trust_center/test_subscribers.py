"""Subscribers of updates and their groups: added once, moved, removed; their addresses go when they are erased."""

import pytest

from portal.audit.models import Entry
from portal.tenants import erased_people, personal_data
from portal.tenants.models import Role
from portal.trust_center.models import Subscriber, SubscriberGroup, SubscriberInGroup, Update
from tests.trust_center.conftest import CALL, PAGE

SUBSCRIBERS, GROUPS = f"{PAGE}subscribers/", f"{PAGE}subscribers/groups/"
EMAIL = "reader@customer.example"


def there(desk, email: str = EMAIL) -> list[dict]:
    return [each for each in desk.there("subscribers").values() if each["email"] == email]


def listed(client, query: str = "") -> set[str]:
    return {str(row) for row in client.get(f"{SUBSCRIBERS}{query}").context["page"].rows}


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
    client.post(groups, {"groups": [second.platform_id]})
    assert [each["id"] for each in there(desk)[0]["groups"]] == [second.platform_id]
    assert EMAIL not in listed(client, f"?group={first.platform_id}")
    client.post(groups, {})
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
