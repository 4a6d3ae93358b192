"""The rows of sections 4.4-4.6, 7 and 8 as the sandbox keeps them; `tests/specification.py` has their words."""

import io
from typing import Any

import pytest

from portal.sandbox.limits import DEFAULTS
from tests.sandbox.platform import Platform

COMMENT = {"text": "Why?", "email": "a@firm.example", "creationDate": "2026-01-01T00:00:00Z"}
CHANGED = {"text": "Why not?", "email": "a@firm.example"}


def error_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json["error"]


def audit_path(platform: Platform, kind: str) -> str:
    """Return the path of the newest object of a kind within its audit."""
    found = platform.sandbox.objects.all(platform.tenant.id, kind, limit=1)[0]
    audit_id = platform.sandbox.objects.parent_of(platform.tenant.id, kind, found["id"])
    parts = {"audit-controls": "controls", "audit-evidence": "evidence", "information-requests": "information-requests"}
    return f"/audits/{audit_id}/{parts[kind]}/{found['id']}"


def test_4_token_exchange(platform: Platform) -> None:
    tokens = platform.exchange(platform.consent()["code"])
    assert (tokens.status_code, set(tokens.json)) == (200, {"access_token", "refresh_token", "expires_in", "token_type"})


def test_4_suspend(platform: Platform) -> None:
    tokens = platform.connect()
    assert [platform.suspend(tokens["refresh_token"]).status_code for _ in range(2)] == [200, 200]
    assert not platform.works(tokens["access_token"])


def test_4_authorize(platform: Platform) -> None:
    assert set(platform.consent(state="a b")) == {"code", "state"}
    assert platform.consent(state="a b")["state"] == "a b"


def test_7_invalid_client(platform: Platform) -> None:
    body = platform.application("management") | {"grant_type": "client_credentials", "scope": "svc-api.all:read"}
    assert error_of(platform.token(**(body | {"client_secret": "wrong"}))) == (401, "invalid_client")
    assert error_of(platform.token(**(body | {"client_id": "wrong"}))) == (401, "invalid_client")
    platform.sandbox.applications.rotate_secret(body["client_id"])
    assert error_of(platform.token(**body)) == (401, "invalid_client")


def test_7_invalid_request(platform: Platform) -> None:
    body = platform.application("management") | {"grant_type": "client_credentials", "scope": "svc-api.all:read"}
    assert error_of(platform.http.post("/oauth/token", data=body)) == (400, "invalid_request")


def test_7_invalid_scope(platform: Platform) -> None:
    body = platform.application("management") | {"grant_type": "client_credentials", "scope": "auditor-api.audit:read"}
    assert error_of(platform.token(**body)) == (400, "invalid_scope")


@pytest.mark.parametrize("death", ["expired", "revoked", "superseded"])
def test_7_dead_access_token(platform: Platform, death: str) -> None:
    tokens = platform.connect()
    if death == "expired":
        platform.sandbox.clock.advance(3601)
    elif death == "revoked":
        platform.suspend(tokens["access_token"])
    else:
        platform.refresh(tokens["refresh_token"])
    headers = {"Authorization": f"Bearer {tokens['access_token']}"}
    assert platform.http.get("/v1/users", headers=headers).status_code == 401


def test_7_sixth_token_call(platform: Platform) -> None:
    platform.sandbox.limits.change({"token": DEFAULTS["token"]})
    body = platform.application("management") | {"grant_type": "client_credentials", "scope": "svc-api.all:read"}
    assert [platform.token(**body).status_code for _ in range(6)] == [200] * 5 + [429]


def test_7_regional_host(platform: Platform) -> None:
    for region in ("eu", "aus"):
        answer = platform.http.get("/v1/users", base_url=f"https://api.{region}.platform.test")
        assert (answer.status_code, answer.mimetype) == (308, "text/plain")


def test_7_suspend_of_a_foreign_token(platform: Platform) -> None:
    assert platform.suspend(platform.connect()["access_token"], "management").status_code == 401


def test_7_repeated_external_id(platform: Platform) -> None:
    sent = [{"file": (io.BytesIO(b"%PDF-1.7"), "msa.pdf"), "externalId": "A-1"} for _ in range(2)]
    answers = [platform.call("POST", "/customer-trust/contracts", data=data).status_code for data in sent]
    assert answers == [201, 409]


@pytest.mark.parametrize("kind", ["audit-controls", "information-requests"])
def test_7_deleted_comment(platform: Platform, kind: str) -> None:
    comments = f"{audit_path(platform, kind)}/comments"
    one = f"{comments}/{platform.call('POST', comments, json=COMMENT).json['id']}"
    assert platform.call("DELETE", one, json={"email": COMMENT["email"]}).status_code == 204
    assert platform.call("PATCH", one, json=CHANGED).status_code == 404
    if kind == "information-requests":
        assert platform.call("DELETE", one, json={"email": COMMENT["email"]}).status_code == 404
        assert platform.get(one)["deletionDate"] is not None


def test_7_long_account_manager_email(platform: Platform) -> None:
    answer = platform.call("POST", "/vendors", json={"name": "Cloud", "accountManagerEmail": "x" * 101})
    assert (answer.status_code, [*answer.json["errors"]]) == (400, ["body.accountManagerEmail"])


def test_7_invalid_signature(platform: Platform) -> None:
    endpoint = platform.listen()
    platform.receiver.statuses = [400]
    platform.fire()
    platform.sandbox.deliver_due()
    assert platform.history(endpoint)[0]["state"] == "pending"
    platform.sandbox.clock.advance(6)
    platform.sandbox.deliver_due()
    assert platform.history(endpoint)[0]["state"] == "delivered"


def test_8_token_endpoint(platform: Platform) -> None:
    tokens = platform.connect()
    platform.sandbox.limits.change({"token": DEFAULTS["token"]})
    body = platform.application("management") | {"grant_type": "client_credentials", "scope": "svc-api.all:read"}
    assert [platform.token(**body).status_code for _ in range(3)] == [200] * 3
    assert platform.refresh(tokens["refresh_token"]).status_code == 200
    assert platform.suspend(tokens["refresh_token"]).status_code == 200
    assert platform.suspend(tokens["refresh_token"]).status_code == 429
    platform.sandbox.clock.advance(60)
    assert platform.suspend(tokens["refresh_token"]).status_code == 200


def test_8_access_token(platform: Platform) -> None:
    token = platform.connect()["access_token"]
    platform.sandbox.clock.advance(3595)
    assert platform.works(token)
    platform.sandbox.clock.advance(6)
    assert not platform.works(token)


def test_8_previous_refresh_token(platform: Platform) -> None:
    first = platform.connect()["refresh_token"]
    platform.sandbox.clock.advance(30 * 86400)
    assert platform.refresh(first).status_code == 200
    platform.sandbox.clock.advance(3 * 3600 - 5)
    assert platform.refresh(first).status_code == 200
    platform.sandbox.clock.advance(6)
    assert error_of(platform.refresh(first)) == (400, "invalid_grant")


def test_8_authorization_code(platform: Platform) -> None:
    code = platform.consent()["code"]
    platform.sandbox.clock.advance(31)
    assert error_of(platform.exchange(code)) == (400, "invalid_grant")


def test_8_one_active_token(platform: Platform) -> None:
    first = platform.connect("workspace-1")
    other = platform.connect("workspace-2")["access_token"]
    second = platform.refresh(first["refresh_token"]).json["access_token"]
    assert [platform.works(token) for token in (first["access_token"], second, other)] == [False, True, True]
    application = [platform.issue() for _ in range(2)]
    assert [platform.works(token) for token in application] == [False, True]


def test_8_acknowledgement(platform: Platform) -> None:
    platform.listen()
    platform.fire()
    platform.sandbox.deliver_due()
    assert platform.receiver.options[0]["timeout"][1] == 15


def test_8_timestamp_tolerance(platform: Platform) -> None:
    """Every attempt carries its own time, so that no retry is too old for its receiver."""
    platform.listen()
    platform.receiver.statuses = [500]
    platform.fire()
    platform.sandbox.deliver_due()
    platform.sandbox.clock.advance(10)
    platform.sandbox.deliver_due()
    first, second = (int(sent.headers["hook-timestamp"]) for sent in platform.receiver.received)
    assert 0 <= second - first < 300


def test_8_account_manager_email(platform: Platform) -> None:
    answer = platform.call("POST", "/vendors", json={"name": "Cloud", "accountManagerEmail": "x" * 100})
    assert answer.status_code == 200


def test_8_contracts(platform: Platform) -> None:
    platform.sandbox.limits.change({"contracts": DEFAULTS["contracts"]})
    sent = [{"file": (io.BytesIO(b"%PDF-1.7"), "msa.pdf")} for _ in range(11)]
    answers = [platform.call("POST", "/contracts", data=data).status_code for data in sent]
    assert answers == [201] * 10 + [429]


def test_8_auditor_listed(platform: Platform) -> None:
    platform.sandbox.limits.change({"auditor_listed": DEFAULTS["auditor_listed"]})
    audit = "/".join(audit_path(platform, "audit-evidence").split("/")[:3])
    status = {"statusUpdate": {"auditorEmail": "a@firm.example", "stateTransition": "ACCEPT"}}
    calls = [
        lambda: platform.call("GET", f"{audit}/framework-codes"),
        lambda: platform.call("PATCH", f"{audit}/evidence/unknown", json=status),
        lambda: platform.call("DELETE", f"{audit}/information-requests/unknown"),
        lambda: platform.call("POST", f"{audit}/share-information-request-list"),
    ]
    assert all(calls[number % 4]().status_code != 429 for number in range(50))
    assert [call().status_code for call in calls] == [429] * 4


def test_8_auditor_comments(platform: Platform) -> None:
    platform.sandbox.limits.change({"auditor_comments": DEFAULTS["auditor_comments"]})
    request, evidence = audit_path(platform, "information-requests"), audit_path(platform, "audit-evidence")
    calls = [
        lambda: platform.call("POST", f"{evidence}/comments", json=COMMENT),
        lambda: platform.call("PATCH", f"{request}/comments/unknown", json=CHANGED),
        lambda: platform.call("DELETE", f"{request}/comments/unknown", json={"email": COMMENT["email"]}),
    ]
    assert all(calls[number % 3]().status_code != 429 for number in range(25))
    assert [call().status_code for call in calls] == [429] * 3
