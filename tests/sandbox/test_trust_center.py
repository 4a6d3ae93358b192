"""Platform-api 4.1.8 and 4.5: access requests, viewers, resources, activity, erasure."""

import json
from typing import Any

import pytest

from portal.sandbox.changes import access_requests
from tests.sandbox.platform import Platform

PERSON = {"email": "Kim@Buyer.example", "name": "Kim Buyer", "companyName": "Buyer Ltd"}


def receive(platform: Platform, **fields: Any) -> dict[str, Any]:
    """Let Kim ask for access to one document that is not public."""
    resource = next(r for r in platform.get(platform.trust_center("/resources"))["results"] if not r["isPublic"])
    options = {"person": PERSON, "reason": "Onboarding", "resource_ids": [resource["id"]]} | fields
    return access_requests.receive(platform.sandbox, platform.tenant, **options)


def decide(platform: Platform, verb: str, request_id: str, **options: Any) -> Any:
    return platform.call("POST", platform.trust_center(f"/access-requests/{request_id}/{verb}"), **options)


def viewer_of(platform: Platform, email: str, **query: str) -> dict[str, Any] | None:
    viewers = platform.data(platform.trust_center("/viewers"), **query)
    return next((viewer for viewer in viewers if viewer["email"] == email), None)


def test_the_trust_center_is_read_by_its_slug(platform: Platform) -> None:
    found = platform.get(platform.trust_center())
    assert found["isPublic"] is True
    assert found["id"] != platform.tenant.slug_id


def test_a_received_request_is_listed_and_told(platform: Platform) -> None:
    request = receive(platform)
    assert platform.data(platform.trust_center("/access-requests"))[0] == request
    assert platform.get(platform.trust_center(f"/access-requests/{request['id']}")) == request
    payload = {"trustCenter": {"slugId": platform.tenant.slug_id}, "accessRequest": {"id": request["id"]}}
    assert platform.messages() == [("v1.trust-center.access-request.received", payload)]


def test_an_approval_without_wishes_grants_what_was_asked(platform: Platform) -> None:
    request = receive(platform)
    answer = decide(platform, "approve", request["id"], json={})
    assert (answer.status_code, answer.data) == (204, b"")
    viewer = viewer_of(platform, PERSON["email"])
    assert viewer is not None
    assert (viewer["accessLevel"], viewer["resourceIds"]) == ("PARTIAL_ACCESS", request["requestedResources"])
    assert viewer["expirationDate"] is None
    assert viewer["ndaInfo"] == {"provider": "ONE_CLICK", "satisfiedDate": None, "docuSign": None, "oneClick": None}
    historical = platform.data(platform.trust_center("/historical-access-requests"))[0]
    assert historical == request | {
        "updatedDate": historical["updatedDate"],
        "outcome": "APPROVED",
        "manualDenialReason": None,
    }
    kind, payload = platform.messages()[-1]
    assert kind == "v1.trust-center.access-request.approved"
    assert payload["viewer"] == {"id": viewer["id"]}
    assert payload["accessRequest"] == {"id": request["id"]}


def test_an_approval_can_grant_something_else(platform: Platform) -> None:
    request = receive(platform)
    wishes = {"accessLevel": "FULL_ACCESS", "expirationDate": "2027-01-01T00:00:00+01:00", "isNdaRequired": False}
    assert decide(platform, "approve", request["id"], json=wishes).status_code == 204
    viewer = viewer_of(platform, PERSON["email"])
    assert viewer is not None
    assert (viewer["accessLevel"], viewer["resourceIds"], viewer["ndaInfo"]) == ("FULL_ACCESS", None, None)
    assert viewer["expirationDate"] == "2026-12-31T23:00:00.000Z"


def test_another_approval_extends_the_viewer_that_is_there(platform: Platform) -> None:
    decide(platform, "approve", receive(platform)["id"], json={})
    known = viewer_of(platform, PERSON["email"])
    again = receive(platform, person=PERSON | {"email": "kim@buyer.EXAMPLE"})
    decide(platform, "approve", again["id"], json={"expirationDate": "2027-01-01"})
    extended = viewer_of(platform, PERSON["email"])
    assert known is not None
    assert extended is not None
    assert extended["id"] == known["id"]
    assert extended["expirationDate"] == "2027-01-01T00:00:00.000Z"


def test_a_denial_is_historical_with_its_reason(platform: Platform) -> None:
    request = receive(platform)
    assert decide(platform, "deny", request["id"], json={"reason": "No deal"}).status_code == 204
    historical = platform.data(platform.trust_center("/historical-access-requests"))[0]
    assert (historical["outcome"], historical["manualDenialReason"]) == ("DENIED", "No deal")
    assert viewer_of(platform, PERSON["email"]) is None
    assert platform.messages()[-1][0] == "v1.trust-center.access-request.denied"


def test_a_denial_needs_no_body_but_an_approval_does(platform: Platform) -> None:
    request = receive(platform)
    assert decide(platform, "approve", request["id"]).status_code == 400
    assert decide(platform, "deny", request["id"]).status_code == 204


@pytest.mark.parametrize("verb", ["approve", "deny"])
def test_a_decided_request_is_404_and_told_once(platform: Platform, verb: str) -> None:
    request = receive(platform)
    decide(platform, verb, request["id"], json={})
    told = len(platform.messages())
    for again in ("approve", "deny"):
        assert decide(platform, again, request["id"], json={}).status_code == 404
    assert platform.call("GET", platform.trust_center(f"/access-requests/{request['id']}")).status_code == 404
    assert len(platform.messages()) == told


def test_an_unknown_resource_leaves_the_request_open(platform: Platform) -> None:
    request = receive(platform)
    assert decide(platform, "approve", request["id"], json={"resourceIds": ["x"]}).status_code == 422
    assert platform.get(platform.trust_center(f"/access-requests/{request['id']}")) == request
    assert viewer_of(platform, PERSON["email"]) is None


@pytest.mark.parametrize(
    "wishes", [{"accessLevel": "SOME"}, {"expirationDate": "soon"}, {"resourceIds": "x"}, {"isNdaRequired": "yes"}]
)
def test_wrong_wishes_are_400_before_the_look_up(platform: Platform, wishes: dict[str, Any]) -> None:
    assert decide(platform, "approve", "unknown", json=wishes).status_code == 400


def create_viewer(platform: Platform, **fields: Any) -> Any:
    body = PERSON | {"isNdaRequired": True, "accessLevel": "FULL_ACCESS"} | fields
    return platform.call("POST", platform.trust_center("/viewers"), json=body)


def test_a_viewer_is_created_changed_and_reminded(platform: Platform) -> None:
    made = create_viewer(platform)
    assert made.status_code == 200
    one = platform.trust_center(f"/viewers/{made.json['id']}")
    assert platform.get(one) == made.json
    changed = platform.call("PATCH", one, json={"expirationDate": "2027-01-01", "isNdaRequired": False}).json
    assert (changed["expirationDate"], changed["ndaInfo"]) == ("2027-01-01T00:00:00.000Z", None)
    assert platform.call("PATCH", one, json={"expirationDate": None}).json["expirationDate"] is None
    assert platform.call("POST", f"{one}/send-invite-reminder").json == {"isSuccessful": True}


def test_an_address_is_a_viewer_once(platform: Platform) -> None:
    create_viewer(platform)
    assert create_viewer(platform, email=PERSON["email"].lower()).status_code == 409


def test_a_removed_viewer_is_in_the_full_listing_only(platform: Platform) -> None:
    made = create_viewer(platform).json
    one = platform.trust_center(f"/viewers/{made['id']}")
    assert platform.call("DELETE", one).status_code == 204
    assert platform.call("DELETE", one).status_code == 404
    assert platform.call("GET", one).status_code == 404
    assert viewer_of(platform, PERSON["email"]) == made
    assert viewer_of(platform, PERSON["email"], includeRemoved="false") is None
    assert create_viewer(platform).status_code == 200


def test_resources_have_no_pages_and_their_media_is_a_file(platform: Platform) -> None:
    listing = platform.get(platform.trust_center("/resources"))
    assert set(listing) == {"results"}
    resource = listing["results"][0]
    one = platform.trust_center(f"/resources/{resource['id']}")
    assert platform.get(one) == resource
    media = platform.call("GET", f"{one}/media")
    assert media.mimetype == resource["mimeType"]
    assert media.data.startswith(b"%PDF-")


def test_activity_is_filtered_by_type_and_date(platform: Platform) -> None:
    path = platform.trust_center("/activity")
    everything = platform.data(path)
    views = platform.data(path, eventTypesMatchesAny=["PAGE_VIEW", "VIDEO_PLAY"])
    assert views == [event for event in everything if event["eventType"] in {"PAGE_VIEW", "VIDEO_PLAY"}]
    at = everything[10]["date"]
    assert platform.data(path, afterDate=at) == [event for event in everything if event["date"] >= at]
    assert platform.data(path, beforeDate=at) == [event for event in everything if event["date"] < at]


def test_a_deletion_request_erases_the_person_everywhere(platform: Platform) -> None:
    decide(platform, "approve", receive(platform)["id"], json={})
    receive(platform)
    viewer = viewer_of(platform, PERSON["email"])
    assert viewer is not None
    event = platform.data(platform.trust_center("/activity"))[0]
    seen = event | {"id": "e1", "viewerId": viewer["id"], "viewerEmail": PERSON["email"]}
    platform.sandbox.objects.add(platform.tenant.id, "activity", seen)
    answer = platform.call("POST", "/customer-trust/deletion-requests", json={"email": PERSON["email"].upper()})
    assert (answer.status_code, answer.json) == (200, {"isSuccessful": True})
    for path in ("/access-requests", "/historical-access-requests", "/viewers", "/activity"):
        assert PERSON["email"].lower() not in json.dumps(platform.data(platform.trust_center(path))).lower()
    assert platform.call("POST", "/customer-trust/deletion-requests", json={}).status_code == 400
