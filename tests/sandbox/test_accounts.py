"""Platform-api 4.1.7: customer-trust accounts."""

import json
from typing import Any

import pytest

from tests.sandbox.platform import Platform

PATH = "/customer-trust/accounts"
BODY = {"name": "Zumbrella", "emailDomain": "zumbrella.example"}


def create(platform: Platform, **body: Any) -> dict[str, Any]:
    answer = platform.call("POST", PATH, json=BODY | body)
    assert answer.status_code == 200, answer.text
    made: dict[str, Any] = answer.json
    return made


def test_a_minimal_account_has_every_field(platform: Platform) -> None:
    made = create(platform)
    assert made | {"id": "", "createdDate": "", "updatedDate": ""} == BODY | {
        "id": "",
        "createdDate": "",
        "updatedDate": "",
        "ndaDetails": {"ndaStatus": "INCOMPLETE", "ndaSatisfiedDate": None},
        "accessConfig": None,
        "customFields": [],
        "tagsByCategory": [],
    }
    assert platform.get(f"{PATH}/{made['id']}") == made


def test_nda_and_access_are_set_at_creation(platform: Platform) -> None:
    access = {"autoApprovalEnabled": True, "grantAccessOption": "INCLUDE_ONLY_CONFIGURED"}
    made = create(platform, ndaDetails={"markNdaNotRequired": True}, accessConfig=access)
    assert made["ndaDetails"]["ndaStatus"] == "NOT_REQUIRED"
    assert made["accessConfig"] == access
    needed = platform.call("POST", PATH, json=BODY | {"accessConfig": {"autoApprovalEnabled": True}})
    assert needed.status_code == 400


def test_a_patch_replaces_fields_and_merges_tags_by_category(platform: Platform) -> None:
    tags = [{"categoryId": "a", "tagIds": ["1"]}, {"categoryId": "b", "tagIds": ["2"]}]
    made = create(platform, tagsByCategory=tags, customFields=[{"label": "x", "value": ["1", "2"]}])
    change = {"name": "Zumbrella Ltd", "tagsByCategory": [{"categoryId": "a", "tagIds": []}], "customFields": []}
    changed = platform.call("PATCH", f"{PATH}/{made['id']}", json=change).json
    assert (changed["name"], changed["customFields"]) == ("Zumbrella Ltd", [])
    assert changed["tagsByCategory"] == [{"categoryId": "b", "tagIds": ["2"]}]
    assert changed["emailDomain"] == made["emailDomain"]


def test_a_deleted_account_is_gone(platform: Platform) -> None:
    made = create(platform)
    assert platform.call("DELETE", f"{PATH}/{made['id']}").status_code == 204
    assert platform.call("GET", f"{PATH}/{made['id']}").status_code == 404


def test_filters(platform: Platform) -> None:
    access = {"autoApprovalEnabled": True, "grantAccessOption": "INCLUDE_EVERYTHING_REQUESTED"}
    made = create(platform, accessConfig=access, customFields=[{"label": "tier", "value": "gold"}])
    for query in (
        {"searchString": "ZUMBRELLA.EX"},
        {"searchString": "zumb", "isAutoApprovalEnabled": "true"},
        {"customFieldsFilter": json.dumps([{"label": "tier", "value": "gold"}])},
    ):
        assert [found["id"] for found in platform.data(PATH, **query)] == [made["id"]]
    automatic = {found["id"] for found in platform.data(PATH, isAutoApprovalEnabled="true")}
    by_hand = {found["id"] for found in platform.data(PATH, isAutoApprovalEnabled="false")}
    assert automatic | by_hand == {found["id"] for found in platform.data(PATH)}
    assert not automatic & by_hand


@pytest.mark.parametrize(
    "query", [{"isAutoApprovalEnabled": "maybe"}, {"customFieldsFilter": "{"}, {"customFieldsFilter": "[1]"}]
)
def test_a_filter_that_makes_no_sense_is_400(platform: Platform, query: dict[str, str]) -> None:
    assert platform.call("GET", PATH, query_string=query).status_code == 400
