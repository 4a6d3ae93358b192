"""Platform-api 4.5.9 and 4.5.10: news of the Trust Center, subscribers, groups, and who is notified."""

from typing import Any

import pytest

from tests.sandbox.platform import Platform
from tests.sandbox.test_showcase import refused, remove, send

NEWS = {"title": "New report", "description": "It is here.", "category": "COMPLIANCE"}


def listed(platform: Platform, path: str, **query: str) -> list[dict[str, Any]]:
    return platform.data(platform.trust_center(path), **query)


def subscribe(platform: Platform, email: str, **body: Any) -> dict[str, Any]:
    made: dict[str, Any] = send(platform, "POST", "/subscribers", 201, email=email, **body)
    return made


def group_of(platform: Platform, *members: dict[str, Any], name: str = "Press") -> dict[str, Any]:
    ids = [member["id"] for member in members]
    made: dict[str, Any] = send(platform, "POST", "/subscriber-groups", 201, name=name, subscriberIds=ids)
    return made


def publish(platform: Platform, **body: Any) -> dict[str, Any]:
    made: dict[str, Any] = send(platform, "POST", "/updates", 201, **NEWS, **body)
    return made


def told(platform: Platform, update: dict[str, Any]) -> list[str]:
    emails: list[str] = platform.get(platform.trust_center(f"/updates/{update['id']}"))["notifiedEmails"]
    return emails


def test_news_is_published_changed_and_deleted(platform: Platform) -> None:
    made = publish(platform)
    assert made == NEWS | {
        "id": made["id"], "visibilityType": "PUBLIC", "notifiedEmails": [],
        "creationDate": made["creationDate"], "updatedDate": made["creationDate"],
    }  # fmt: skip
    assert listed(platform, "/updates")[0] == made
    platform.sandbox.clock.advance(60)
    path, change = f"/updates/{made['id']}", NEWS | {"title": "Newer", "visibilityType": "PRIVATE"}
    changed = send(platform, "PATCH", path, **change)
    assert changed == made | change | {"updatedDate": changed["updatedDate"]}
    assert changed["updatedDate"] > made["updatedDate"]
    assert {*refused(platform, "PATCH", path, title="X")} == {"body.description", "body.category"}
    remove(platform, path)
    assert changed not in listed(platform, "/updates")


def test_new_news_goes_to_those_who_are_meant(platform: Platform) -> None:
    kim = subscribe(platform, "kim@buyer.example")
    group = group_of(platform, kim)
    everybody = {subscriber["email"] for subscriber in listed(platform, "/subscribers")}
    assert {*publish(platform, notificationTarget="ALL")["notifiedEmails"]} == everybody
    in_group = {"notificationTarget": "GROUPS", "subscriberGroupIds": [group["id"]]}
    made = publish(platform, **in_group, notifiedEmails=["lee@press.example", kim["email"]])
    assert made["notifiedEmails"] == ["lee@press.example", kim["email"]]
    assert publish(platform, notificationTarget="NONE")["notifiedEmails"] == []


@pytest.mark.parametrize("groups", [{}, {"subscriberGroupIds": []}])
def test_news_for_groups_needs_groups(platform: Platform, groups: dict[str, Any]) -> None:
    before = listed(platform, "/updates")
    wrong = NEWS | {"notificationTarget": "GROUPS"} | groups
    assert refused(platform, "POST", "/updates", **wrong) == ["body.subscriberGroupIds"]
    assert listed(platform, "/updates") == before
    send(platform, "POST", "/updates", 422, **NEWS, notificationTarget="GROUPS", subscriberGroupIds=["unknown"])


def test_all_subscribers_are_notified(platform: Platform) -> None:
    update = publish(platform, notifiedEmails=["lee@press.example"])
    answer = platform.call("POST", platform.trust_center(f"/updates/{update['id']}/notify-all-subscribers"))
    assert (answer.status_code, answer.data) == (204, b"")
    everybody = {subscriber["email"] for subscriber in listed(platform, "/subscribers")}
    assert {*told(platform, update)} == everybody | {"lee@press.example"}


def test_some_are_notified_each_of_them_once(platform: Platform) -> None:
    kim, lee = subscribe(platform, "kim@buyer.example"), subscribe(platform, "lee@press.example")
    update, group = publish(platform), group_of(platform, kim, lee)
    path = f"/updates/{update['id']}/notify-specific-subscribers"
    answer = send(platform, "POST", path, emails=["kim@buyer.example", "new@buyer.example"], subscriberGroupIds=[group["id"]])
    assert answer == {"recipientCount": 3}
    assert sorted(told(platform, update)) == ["kim@buyer.example", "lee@press.example", "new@buyer.example"]
    assert send(platform, "POST", path, emails=[], subscriberGroupIds=[]) == {"recipientCount": 0}
    assert {*refused(platform, "POST", path)} == {"body.emails", "body.subscriberGroupIds"}
    many = [f"p{number}@buyer.example" for number in range(11)]
    assert refused(platform, "POST", path, emails=many, subscriberGroupIds=[]) == ["body.emails"]


def test_subscribers_of_accounts_are_found_by_fields_and_tags(platform: Platform) -> None:
    account = platform.call("POST", "/customer-trust/accounts", json={
        "name": "Buyer", "emailDomain": "buyer.example",
        "customFields": [{"label": "tier", "value": "gold"}, {"label": "Regions", "value": ["EU", "AU"]}],
        "tagsByCategory": [{"categoryId": "c", "tagIds": ["1", "2"]}],
    }).json  # fmt: skip
    subscribe(platform, "kim@buyer.example", customerTrustAccountId=account["id"])
    path = f"/updates/{publish(platform)['id']}/notify-specific-subscribers"
    gold, tag = {"label": "tier", "value": "gold"}, {"categoryId": "c", "tagIds": ["2", "3"]}
    for wanted, count in (
        ({"customFieldsFilter": [gold]}, 1),
        ({"tagsByCategory": [tag]}, 1),
        ({"customFieldsFilter": [gold, {"label": "Regions", "value": "AU"}], "tagsByCategory": [tag]}, 1),
        ({"customFieldsFilter": [gold], "tagsByCategory": [tag | {"tagIds": ["3"]}]}, 0),
        ({"customFieldsFilter": [{"label": "tier", "value": "silver"}]}, 0),
        ({"customFieldsFilter": [{"label": "tier", "value": ["silver", "gold"]}]}, 1),
        ({"customFieldsFilter": [{"label": "tier", "value": []}]}, 0),
        ({}, 0),
    ):
        body = {"emails": [], "subscriberGroupIds": [], "customerTrustAccounts": wanted}
        assert send(platform, "POST", path, **body) == {"recipientCount": count}


def test_at_most_5000_values_of_a_field_are_asked_for(platform: Platform) -> None:
    path = f"/updates/{publish(platform)['id']}/notify-specific-subscribers"
    for value, is_fine in (("x" * 6000, True), (["x"] * 5000, True), (["x"] * 5001, False)):
        wanted = {"customFieldsFilter": [{"label": "tier", "value": value}]}
        body = {"emails": [], "subscriberGroupIds": [], "customerTrustAccounts": wanted}
        send(platform, "POST", path, 200 if is_fine else 400, **body)


def test_more_than_5000_recipients_are_refused(platform: Platform) -> None:
    like = subscribe(platform, "kim@buyer.example")
    many = [like | {"id": f"{number:024x}", "email": f"p{number}@buyer.example"} for number in range(5000)]
    platform.sandbox.objects.add_many(platform.tenant.id, "subscribers", many)
    update, group = publish(platform), group_of(platform, *many)
    path, body = f"/updates/{update['id']}/notify-specific-subscribers", {"subscriberGroupIds": [group["id"]]}
    send(platform, "POST", path, 422, emails=["one@more.example"], **body)
    assert told(platform, update) == []
    assert send(platform, "POST", path, emails=[], **body) == {"recipientCount": 5000}


def test_a_subscriber_belongs_to_an_account_and_confirms_the_address(platform: Platform) -> None:
    account_id = platform.data("/customer-trust/accounts")[0]["id"]
    made = subscribe(platform, "kim@buyer.example", customerTrustAccountId=account_id)
    assert made == {
        "id": made["id"], "email": "kim@buyer.example", "isEmailVerified": False, "groups": [],
        "creationDate": made["creationDate"], "customerTrustAccountId": account_id,
    }  # fmt: skip
    skipping = subscribe(platform, "lee@press.example", shouldSkipEmailVerification=True)
    assert (skipping["isEmailVerified"], skipping["customerTrustAccountId"]) == (True, None)
    found = listed(platform, "/subscribers", customerTrustAccountId=account_id)
    assert made in found and {each["customerTrustAccountId"] for each in found} == {account_id}
    send(platform, "POST", "/subscribers", 409, email="KIM@buyer.example")
    send(platform, "POST", "/subscribers", 422, email="new@buyer.example", customerTrustAccountId="unknown")


def test_groups_and_their_members_name_each_other(platform: Platform) -> None:
    kim, lee = subscribe(platform, "kim@buyer.example"), subscribe(platform, "lee@press.example")
    group, other = group_of(platform, kim, lee), group_of(platform, name="Other")

    def groups_of(subscriber: dict[str, Any]) -> list[str]:
        found = platform.get(platform.trust_center(f"/subscribers/{subscriber['id']}"))
        return [each["name"] for each in found["groups"]]

    assert groups_of(kim) == groups_of(lee) == ["Press"]
    moved = send(platform, "PUT", f"/subscribers/{kim['id']}/groups", groupIds=[other["id"]])
    assert moved == kim | {"groups": [{"id": other["id"], "name": "Other"}]}
    assert platform.get(platform.trust_center(f"/subscriber-groups/{group['id']}"))["subscriberIds"] == [lee["id"]]
    assert platform.get(platform.trust_center(f"/subscriber-groups/{other['id']}"))["subscriberIds"] == [kim["id"]]
    assert send(platform, "PATCH", f"/subscriber-groups/{group['id']}", name="Media")["name"] == "Media"
    assert groups_of(lee) == ["Media"]
    remove(platform, f"/subscriber-groups/{group['id']}")
    assert groups_of(lee) == []
    remove(platform, f"/subscribers/{kim['id']}")
    assert platform.get(platform.trust_center(f"/subscriber-groups/{other['id']}"))["subscriberIds"] == []
    send(platform, "PUT", f"/subscribers/{lee['id']}/groups", 422, groupIds=["unknown"])
    send(platform, "POST", "/subscriber-groups", 422, name="X", subscriberIds=["unknown"])
