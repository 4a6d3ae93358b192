"""Specification 2.5, 3.4 and 6.2, platform-api 4.7: vendors, those found in use, and decisions."""

from typing import Any

import pytest

from portal.sandbox.changes import vendors as changes
from tests.sandbox.platform import Platform


def first(platform: Platform) -> dict[str, Any]:
    found: dict[str, Any] = platform.data("/vendors")[0]
    return found


def create(platform: Platform, **fields: Any) -> dict[str, Any]:
    answer = platform.call("POST", "/vendors", json={"name": "Newcomer"} | fields)
    assert answer.status_code == 200, answer.text
    made: dict[str, Any] = answer.json
    return made


def test_a_minimal_vendor_has_every_field(platform: Platform) -> None:
    made = create(platform)
    assert made.keys() == first(platform).keys()
    assert {name for name, value in made.items() if value is not None} == {
        *("id", "name", "status", "riskAttributeIds", "inherentRiskLevel", "residualRiskLevel", "authDetails")
    }
    assert {*made["authDetails"].values()} == {None}
    assert (made["status"], made["inherentRiskLevel"], made["residualRiskLevel"]) == ("MANAGED", "UNSCORED", "UNSCORED")
    assert platform.get(f"/vendors/{made['id']}") == made


def test_a_vendor_is_created_and_changed(platform: Platform) -> None:
    sent = {
        "status": "IN_PROCUREMENT",
        "category": "Hosting",
        "securityOwnerUserId": platform.data("/users")[0]["id"],
        "contractStartDate": "2026-02-03",
        "contractAmount": {"amount": 12.5, "currency": "EUR"},
        "authDetails": {"method": "SSO"},
        "vendorHeadquarters": "DEU",
        "customFields": [{"label": "Tier", "value": ["1", "2"]}],
    }
    made = create(platform, **sent, frameworkScope={"scopeType": "ALL"})
    assert made["category"] == {"displayName": "Hosting"}
    assert made["contractStartDate"] == "2026-02-03T00:00:00.000Z"
    assert (made["authDetails"]["method"], made["authDetails"]["passwordMFA"]) == ("SSO", None)
    for name in ("status", "securityOwnerUserId", "contractAmount", "vendorHeadquarters", "customFields"):
        assert made[name] == sent[name]
    attributes = [attribute["id"] for attribute in platform.data("/vendor-risk-attributes")]
    change = {"name": "Renamed", "inherentRiskLevel": "HIGH", "riskAttributeIds": attributes, "contractStartDate": None}
    path = f"/vendors/{made['id']}"
    changed = platform.call("PATCH", path, json=change | {"status": "ARCHIVED"}).json
    assert changed == made | change | {"isRiskAutoScored": False}
    assert platform.get(path) == changed
    scored = platform.call("PATCH", path, json={"inherentRiskLevel": None, "vendorHeadquarters": None}).json
    assert (scored["inherentRiskLevel"], scored["isRiskAutoScored"], scored["vendorHeadquarters"]) == ("UNSCORED", True, None)
    assert platform.call("PATCH", path, json={"category": None}).status_code == 400


def test_only_set_status_changes_the_status(platform: Platform) -> None:
    made = create(platform)
    path = f"/vendors/{made['id']}"
    assert platform.call("PATCH", path, json={"status": "ARCHIVED"}).json == made
    answer = platform.call("POST", f"{path}/set-status", data={"status": "ARCHIVED"})
    assert (answer.status_code, answer.json) == (200, made | {"status": "ARCHIVED"})
    assert platform.get(path)["status"] == "ARCHIVED"
    wrong = platform.call("POST", f"{path}/set-status", data={"status": "GONE"})
    assert list(wrong.json["errors"]) == ["body.status"]


def test_a_deleted_vendor_is_gone_with_its_parts(platform: Platform) -> None:
    vendor = first(platform)
    path = f"/vendors/{vendor['id']}"
    assert platform.call("DELETE", path).status_code == 204
    for gone in (path, f"{path}/documents", f"{path}/findings", f"{path}/security-reviews"):
        assert platform.call("GET", gone).status_code == 404


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("accountManagerEmail", "x" * 101),
        ("websiteUrl", "x" * 2001),
        ("name", ""),
        ("status", "GONE"),
        ("contractStartDate", "soon"),
        ("vendorHeadquarters", "QQQ"),
        ("contractAmount", {"amount": 1, "currency": "QQQ"}),
        ("websiteUrl", None),
        ("riskAttributeIds", []),
    ],
)
def test_a_field_that_makes_no_sense_is_400(platform: Platform, field: str, value: Any) -> None:
    answer = platform.call("POST", "/vendors", json={"name": "x"} | {field: value})
    assert answer.status_code == 400
    assert next(iter(answer.json["errors"])).startswith(f"body.{field}")


def test_an_address_of_100_characters_is_accepted(platform: Platform) -> None:
    assert create(platform, accountManagerEmail="x" * 100)["accountManagerEmail"] == "x" * 100


def test_unknown_references_are_422(platform: Platform) -> None:
    path = f"/vendors/{first(platform)['id']}"
    assert platform.call("PATCH", path, json={"riskAttributeIds": ["nothing"]}).status_code == 422
    assert platform.call("PATCH", path, json={"securityOwnerUserId": "nobody"}).status_code == 422
    assert platform.call("PATCH", path, json={"securityOwnerUserId": None}).json["securityOwnerUserId"] is None


def test_vendors_are_filtered(platform: Platform) -> None:
    everything, vendor = platform.data("/vendors"), first(platform)
    assert platform.data("/vendors", name=vendor["name"][2:].upper()) == [vendor]
    for statuses in (["ARCHIVED"], ["ARCHIVED", "IN_PROCUREMENT"]):
        expected = [each for each in everything if each["status"] in statuses]
        assert expected
        assert platform.data("/vendors", statusMatchesAny=statuses) == expected
    assert platform.call("GET", "/vendors", query_string={"statusMatchesAny": "GONE"}).status_code == 400


def test_a_discovered_vendor_becomes_a_managed_one(platform: Platform) -> None:
    path = "/discovered-vendors"
    found = platform.data(path)
    assert found and all(each["ignored"] is each["rejected"] is None for each in found), "others have to be asked for"
    for scope, field in (("IGNORED", "ignored"), ("REJECTED", "rejected")):
        assert all(each[field] for each in platform.data(path, scope=scope))
    assert {each["type"] for each in platform.data(f"{path}/{found[0]['id']}/accounts")} == {"USER", "COMPUTER"}
    made = platform.call("POST", f"{path}/{found[0]['id']}/add-to-managed").json
    assert (made["name"], made["status"]) == (found[0]["name"], "MANAGED")
    assert platform.data("/vendors")[0] == made
    assert found[0] not in platform.data(path)
    assert platform.call("GET", f"{path}/{found[0]['id']}/accounts").status_code == 404


@pytest.mark.parametrize("comments", [None, "Come back in May."])
def test_a_decision_is_seen_and_told(platform: Platform, comments: str | None) -> None:
    vendor = first(platform)
    path = f"/vendors/{vendor['id']}"
    changes.decide(platform.sandbox, platform.tenant.id, vendor["id"], status="NOT_APPROVED", comments=comments)
    decided, review = platform.get(path), platform.data(f"{path}/security-reviews")[0]
    assert decided["latestDecision"]["status"] == "NOT_APPROVED"
    assert review["decision"] == decided["latestDecision"]
    assert review["completionDate"] == decided["lastSecurityReviewCompletionDate"]
    told = decided["latestDecision"] | ({"comments": comments} if comments else {})
    assert platform.messages() == [("v1.vendor.decision.created", {"vendor": {"id": vendor["id"], "decision": told}})]


def test_a_decision_happens_to_a_vendor_without_reviews(platform: Platform) -> None:
    made = create(platform)
    platform.fire("v1.vendor.decision.created", object_id=made["id"])
    decided = platform.get(f"/vendors/{made['id']}")
    assert (decided["latestDecision"]["status"], decided["lastSecurityReviewCompletionDate"]) == ("APPROVED", None)


def test_strict_scopes_of_vendors_open_vendors_only(strict: Platform) -> None:
    statuses = {}
    for verb in ("read", "write"):
        headers = {"Authorization": f"Bearer {strict.issue(scope=f'svc-api.vendors:{verb}')}"}
        statuses[verb] = [
            strict.http.open(f"/v1{path}", method=method, json=body, headers=headers).status_code
            for method, path, body in (("GET", "/vendors", None), ("POST", "/vendors", {"name": "x"}), ("GET", "/people", None))
        ]
    assert statuses == {"read": [200, 403, 403], "write": [200, 200, 403]}
