"""Design 4: the control calls that checks from outside rely on."""

from typing import Any

import pytest

from portal.sandbox import ticker
from portal.sandbox.app import create_app
from portal.sandbox.kinds import KINDS
from tests.sandbox.platform import Platform


def test_there_is_no_control_unless_it_was_asked_for() -> None:
    http = create_app().test_client()
    for method, path in (("GET", "/applications"), ("POST", "/reset"), ("POST", "/tenants")):
        assert http.open(f"/_control{path}", method=method, json={}).status_code == 404


def test_one_application_of_each_type_exists_from_the_start(platform: Platform) -> None:
    applications = platform.control("GET", "/applications")
    types = [application["type"] for application in applications]
    assert types == ["public_integration", "private_integration", "management", "auditor"]
    assert all(a["client_id"] and a["client_secret"] and a["scopes"] for a in applications)
    assert [a["redirect_uris"] for a in applications] == [[]] * 4


def test_the_public_application_can_be_fixed_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDBOX_PUBLIC_CLIENT_ID", "fixed-id")
    monkeypatch.setenv("SANDBOX_PUBLIC_CLIENT_SECRET", "fixed-secret")
    applications = create_app(control=True).test_client().get("/_control/applications").json
    public = next(each for each in applications if each["type"] == "public_integration")
    assert (public["client_id"], public["client_secret"]) == ("fixed-id", "fixed-secret")


COUNTS = {"questionnaires": 5, "responses_per_questionnaire": 3, "access_requests": 4, "viewers": 6, "contracts": 2}


def test_a_tenant_has_the_counts_and_the_same_seed_the_same_data(platform: Platform) -> None:
    made = [platform.control("POST", "/tenants", name="Fabrikon", region="gov", seed=9, **COUNTS) for _ in range(2)]
    assert all(set(tenant) == {"tenant_id", "slugId"} for tenant in made)
    first, second = (
        {kind: platform.control("GET", f"/objects/{tenant['tenant_id']}/{kind}") for kind in KINDS} for tenant in made
    )
    assert len(first["responses"]) == 15
    for kind in ("questionnaires", "access-requests", "viewers", "contracts"):
        assert len(first[kind]) == COUNTS[kind.replace("-", "_")]
        assert [strip(found) for found in first[kind]] == [strip(found) for found in second[kind]]


def strip(found: dict[str, Any]) -> dict[str, Any]:
    """Leave out what depends on the moment of creation."""
    return {name: value for name, value in found.items() if name in {"id", "displayName", "email", "name", "status"}}


@pytest.mark.parametrize("body", [{}, {"name": "x", "region": "mars"}, {"name": "x", "viewers": -1}, {"name": "x", "extra": 1}])
def test_a_tenant_that_makes_no_sense_is_400(platform: Platform, body: dict[str, Any]) -> None:
    assert platform.http.post("/_control/tenants", json=body).status_code == 400


@pytest.mark.parametrize("kind", ["questionnaires", "contracts", "viewers", "access_requests", "accounts"])
def test_objects_are_what_the_api_gives(platform: Platform, kind: str) -> None:
    paths = {"viewers": platform.trust_center("/viewers"), "access_requests": platform.trust_center("/access-requests")}
    path = paths.get(kind, f"/customer-trust/{kind}")
    assert platform.control("GET", f"/objects/{platform.tenant.id}/{kind}") == platform.data(path)


def test_unknown_kinds_and_tenants_are_404(platform: Platform) -> None:
    for path in (f"/objects/{platform.tenant.id}/secrets", "/objects/x/viewers", "/applications/x/redirect-uris"):
        method = "POST" if "redirect" in path else "GET"
        answer = platform.http.open(f"/_control{path}", method=method, json={"redirect_uri": "https://x.test/"})
        assert answer.status_code == 404


CHANGES = {
    "v1.questionnaire.created": ("questionnaires", +1),
    "v1.questionnaire.deleted": ("questionnaires", -1),
    "v1.questionnaire.status-changed": ("questionnaires", 0),
    "v1.questionnaire.export-completed": ("exports", +1),
    "v1.questionnaire.export-failed": ("exports", +1),
    "v1.trust-center.access-request.received": ("access-requests", +1),
    "v1.trust-center.access-request.denied": ("historical-access-requests", +1),
    "v1.trust-center.access-request.approved": ("historical-access-requests", +1),
    "v1.vendor.decision.created": ("vendors", 0),
}


@pytest.mark.parametrize("event_type", CHANGES)
def test_an_event_makes_its_change_first(platform: Platform, event_type: str) -> None:
    kind, difference = CHANGES[event_type]
    address = f"/objects/{platform.tenant.id}/{kind}"
    before = platform.control("GET", address)
    platform.control("POST", "/events", tenant_id=platform.tenant.id, type=event_type)
    after = platform.control("GET", address)
    assert len(after) - len(before) == difference
    assert after != before


def test_an_event_can_name_its_object(platform: Platform) -> None:
    request = platform.data(platform.trust_center("/access-requests"))[2]
    event = {"tenant_id": platform.tenant.id, "type": "v1.trust-center.access-request.denied"}
    platform.control("POST", "/events", **event, object_id=request["id"])
    historical = platform.data(platform.trust_center("/historical-access-requests"))
    assert historical[0]["id"] == request["id"]
    again = platform.http.post("/_control/events", json={**event, "object_id": request["id"]})
    assert again.status_code == 404


def test_the_clock_moves_and_stays_moved(platform: Platform) -> None:
    before = platform.control("GET", "/clock")["now"]
    after = platform.control("POST", "/clock", advance_seconds=86400)["now"]
    assert after[:10] > before[:10]
    assert platform.control("GET", "/clock")["now"] >= after


def test_s6_the_request_log_has_callers_and_no_secrets(platform: Platform) -> None:
    tokens = platform.connect()
    platform.http.get("/v1/users?q=secret", headers={"Authorization": f"Bearer {tokens['access_token']}"})
    platform.refresh(tokens["refresh_token"])
    log = platform.control("GET", "/requests?since=0")
    client_id = platform.application("public_integration")["client_id"]
    assert [(r["method"], r["path"], r["status"], r["client_id"], r["source_id"]) for r in log] == [
        ("POST", "/oauth/authorize", 302, None, None),
        ("POST", "/oauth/token", 200, client_id, "workspace-1"),
        ("GET", "/v1/users", 200, client_id, "workspace-1"),
        ("POST", "/oauth/token", 200, client_id, "workspace-1"),
    ]
    assert platform.control("GET", f"/requests?since={log[-2]['n']}") == log[-1:]
    assert not any(secret in str(log) for secret in (tokens["access_token"], tokens["refresh_token"], "secret"))


def test_limits_can_be_switched_off(platform: Platform) -> None:
    assert platform.control("POST", "/limits", token=1)["token"] == 1
    assert [platform.suspend("x").status_code for _ in range(2)] == [401, 429]
    platform.http.post("/_control/limits", json={"token": None})
    assert platform.suspend("x").status_code == 401


def test_a_reset_forgets_everything_but_the_applications(platform: Platform) -> None:
    tokens, applications = platform.connect(), platform.control("GET", "/applications")
    platform.control("POST", "/faults", kind="status", value=500)
    platform.control("POST", "/reset")
    assert platform.control("GET", "/tenants") == []
    assert platform.control("GET", "/faults") == []
    assert not platform.works(tokens["access_token"])
    assert [a["client_secret"] for a in platform.control("GET", "/applications")] == [a["client_secret"] for a in applications]


def test_a_tenant_can_have_a_management_application_of_its_own(platform: Platform) -> None:
    own = platform.control("POST", "/applications", type="management", tenant_id=platform.tenant.id)
    platform.sandbox.tenants.create("Fabrikon", seed=2)
    body = {"client_id": own["client_id"], "client_secret": own["client_secret"], "scope": "svc-api.all:read"}
    token = platform.token(grant_type="client_credentials", **body).json["access_token"]
    answer = platform.http.get(f"/v1{platform.trust_center()}", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200


def test_ticks_change_things_and_stay_within_bounds(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, bound in (("OPEN_REQUESTS", 9), ("QUESTIONNAIRES", 15), ("HISTORICAL_REQUESTS", 12)):
        monkeypatch.setattr(ticker, f"MAX_{name}", bound)
    for _ in range(250):
        platform.control("POST", "/tick")
    platform.sandbox.deliver_due()
    counts = platform.sandbox.objects.counts(platform.tenant.id)
    assert counts["access-requests"] == 9
    assert counts["questionnaires"] == 15
    assert counts["historical-access-requests"] == 12
    row = platform.sandbox.store.row("SELECT count(DISTINCT type) AS kinds FROM messages")
    assert row is not None
    assert row["kinds"] == 5


def test_ticks_let_somebody_look_around_and_ask(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    before = platform.sandbox.objects.counts(platform.tenant.id)
    monkeypatch.setattr(ticker, "A_QUESTION", 1)
    monkeypatch.setattr(
        ticker, "MAX_VISITS", {"activity": before["activity"] + 5, "conversations": before["conversations"] + 3}
    )
    for _ in range(12):
        platform.control("POST", "/tick")
    after = platform.sandbox.objects.counts(platform.tenant.id)
    assert (after["activity"], after["conversations"]) == (before["activity"] + 5, before["conversations"] + 3)
    newest = platform.data(platform.trust_center("/activity"))[0]
    assert platform.data(platform.trust_center("/activity"), afterDate=newest["date"])[0] == newest


def test_objects_can_be_added_as_they_are(platform: Platform) -> None:
    at, nobody = "2026-01-02T03:04:05.000Z", {"viewerId": None, "viewerEmail": None, "city": None, "countryCode": None}
    visit = {"id": "visit-1", "date": at, "eventType": "PAGE_VIEW", "details": {"page": "FAQ"}, **nobody}
    path = f"/objects/{platform.tenant.id}/activity"
    platform.control("POST", path, objects=[visit])
    assert platform.data(platform.trust_center("/activity"))[0] == visit
    talk = {"id": "talk-1", "firstMessage": "Hello?", "numMessages": 1, "userEmail": None, "isPublicConversation": True}
    platform.control("POST", f"/objects/{platform.tenant.id}/conversations", objects=[talk | {"createdAt": at}])
    said = {"id": "said-1", "role": "USER", "message": "Hello?", "createdAt": at, "references": []}
    platform.control("POST", f"/objects/{platform.tenant.id}/chatbot-messages", objects=[said], parent_id="talk-1")
    assert platform.get(platform.trust_center("/chatbot/conversations/talk-1"))["results"] == [said]


def test_ticks_forget_messages_of_more_than_30_days(platform: Platform) -> None:
    platform.listen()
    platform.control("POST", "/events", tenant_id=platform.tenant.id, type="v1.questionnaire.created")
    platform.sandbox.deliver_due()
    platform.sandbox.clock.advance(31 * 86400)
    platform.control("POST", "/tick")
    row = platform.sandbox.store.row("SELECT count(*) AS number FROM attempts")
    assert row is not None
    assert row["number"] == 0
