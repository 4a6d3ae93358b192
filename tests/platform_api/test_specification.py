"""The rows of sections 4.4-4.6, 7 and 8 as the client meets them; `tests/specification.py` has their words."""

import io
from collections.abc import Callable
from typing import Any

import pytest

from portal.platform_api import errors
from portal.platform_api.buckets import CALLS_A_MINUTE
from portal.platform_api.oauth import TokenAnswer
from portal.platform_api.webhooks import InvalidSignature, QuestionnaireStatusChanged, parse, verify
from portal.sandbox.limits import DEFAULTS
from portal.sandbox.webhooks.signing import headers, new_secret
from tests.platform_api.calls.audits import AUDITOR, COMMENT, audit, control_comment, evidence, request, request_comment
from tests.platform_api.world import BASE_URL, CALLBACK, MANAGEMENT_SCOPE, World

NOW = 1_767_225_600


def connect(world: World, source_id: str = "workspace-1") -> TokenAnswer:
    application = world.application("public_integration")
    code = world.code(application, source_id=source_id)
    return application.exchange(code, redirect_uri=CALLBACK, source_id=source_id)


def lives(world: World, token: str) -> bool:
    return world.sandbox.grants.caller(token) is not None


def contract(world: World, external_id: str | None = None) -> Any:
    return world.api.contracts.create(io.BytesIO(b"%PDF-1.7"), filename="msa.pdf", external_id=external_id)


def refused_after(world: World, bucket: str, calls: list[Callable[[], Any]]) -> None:
    """Take turns until the bucket is empty; then every one of the calls is refused, and counted in that bucket."""
    world.sandbox.limits.change({bucket: DEFAULTS[bucket]})
    for number in range(CALLS_A_MINUTE[bucket]):
        try:
            calls[number % len(calls)]()
        except errors.RateLimited:
            raise
        except errors.PlatformError:
            pass
    for call in calls:
        with pytest.raises(errors.RateLimited) as caught:
            call()
        assert 0 < caught.value.retry_after <= 60
        assert world.calls[-1].bucket == bucket


def test_4_token_exchange(world: World) -> None:
    tokens = connect(world)
    assert (bool(tokens.access_token), bool(tokens.refresh_token), tokens.expires_in) == (True, True, 3600)


def test_4_suspend(world: World) -> None:
    tokens = connect(world)
    for _ in range(2):
        world.application("public_integration").suspend(tokens.refresh_token or "")
    assert not lives(world, tokens.access_token)


def test_4_authorize(world: World) -> None:
    assert world.code(world.application("public_integration"))


def test_7_invalid_client(world: World) -> None:
    with pytest.raises(errors.InvalidClient):
        world.application("management", client_secret="wrong").issue(MANAGEMENT_SCOPE)
    rotated = world.application("management")
    management = next(each for each in world.sandbox.applications.all() if each.type == "management")
    world.sandbox.applications.rotate_secret(management.client_id)
    with pytest.raises(errors.InvalidClient):
        rotated.issue(MANAGEMENT_SCOPE)


def test_7_invalid_request(world: World) -> None:
    """The client sends JSON; the answer to anything else is still understood."""
    world.fail("status", value=400, path="/oauth/token", times=1)
    with pytest.raises(errors.PlatformError) as caught:
        world.application("management").issue(MANAGEMENT_SCOPE)
    assert caught.value.status == 400
    sent = world.session.post(f"{BASE_URL}/oauth/token", data={"grant_type": "client_credentials"})
    assert (sent.status_code, sent.json()["error"]) == (400, "invalid_request")


def test_7_invalid_scope(world: World) -> None:
    with pytest.raises(errors.InvalidScope):
        world.application("management").issue("auditor-api.audit:read")


@pytest.mark.parametrize("death", ["expired", "revoked", "superseded"])
def test_7_dead_access_token(world: World, death: str) -> None:
    """One refusal costs one retry with another token."""
    first = world.tokens.current()
    if death == "expired":
        world.sandbox.clock.advance(3601)
    elif death == "revoked":
        world.application("management").suspend(first)
    else:
        world.mint()
    world.api.users.all.page()
    assert world.tokens.refused == [first]


def test_7_sixth_token_call(world: World) -> None:
    world.sandbox.limits.change({"token": DEFAULTS["token"]})
    for _ in range(5):
        world.application("management").issue(MANAGEMENT_SCOPE)
    with pytest.raises(errors.RateLimited):
        world.application("management").issue(MANAGEMENT_SCOPE)


def test_7_regional_host(world: World) -> None:
    world.fail("redirect", value="http://elsewhere.test/v1/users")
    with pytest.raises(errors.RedirectRefused):
        world.api.users.all.page()


def test_7_suspend_of_a_foreign_token(world: World) -> None:
    with pytest.raises(errors.TokenNotOurs):
        world.application("management").suspend(connect(world).access_token)


def test_7_repeated_external_id(world: World) -> None:
    contract(world, "A-1")
    with pytest.raises(errors.Conflict):
        contract(world, "A-1")


def test_7_deleted_comment(world: World) -> None:
    audits = world.api.audits
    for comments, ids in (
        (audits.controls.comments, control_comment(world)),
        (audits.information_requests.comments, request_comment(world)),
    ):
        made = comments.create(*ids[:2], **COMMENT)
        comments.delete(*ids[:2], made.id, email=AUDITOR)
        with pytest.raises(errors.NotFound):
            comments.update(*ids[:2], made.id, text="Why not?", email=AUDITOR)
    ids = request_comment(world)
    made = audits.information_requests.comments.create(*ids[:2], **COMMENT)
    audits.information_requests.comments.delete(*ids[:2], made.id, email=AUDITOR)
    with pytest.raises(errors.NotFound):
        audits.information_requests.comments.delete(*ids[:2], made.id, email=AUDITOR)
    assert audits.information_requests.comments.get(*ids[:2], made.id).deletion_date is not None


def test_7_long_account_manager_email(world: World) -> None:
    with pytest.raises(errors.ValidationFailed) as caught:
        world.api.vendors.create("Cloud", account_manager_email="x" * 101)
    assert [*caught.value.fields] == ["body.accountManagerEmail"]


def test_7_invalid_signature(world: World) -> None:
    signed = headers(b"{}", signing_secrets=[new_secret()], hook_id="msg_1", timestamp=NOW)
    with pytest.raises(InvalidSignature):
        verify(b"{}", signed, [new_secret()], now=NOW)


def test_8_token_endpoint(world: World) -> None:
    tokens = connect(world)
    world.sandbox.limits.change({"token": DEFAULTS["token"]})
    application, management = world.application("public_integration"), world.application("management")
    for _ in range(2):
        management.issue(MANAGEMENT_SCOPE)
        tokens = application.refresh(tokens.refresh_token or "")
    application.suspend(tokens.access_token)
    with pytest.raises(errors.RateLimited) as caught:
        application.suspend(tokens.refresh_token or "")
    world.sandbox.clock.advance(caught.value.retry_after)
    application.suspend(tokens.refresh_token or "")


def test_8_access_token(world: World) -> None:
    tokens = connect(world)
    assert tokens.expires_in == 3600
    world.sandbox.clock.advance(tokens.expires_in + 1)
    assert not lives(world, tokens.access_token)


def test_8_previous_refresh_token(world: World) -> None:
    application, first = world.application("public_integration"), connect(world).refresh_token or ""
    application.refresh(first)
    world.sandbox.clock.advance(3 * 3600 - 5)
    application.refresh(first)
    world.sandbox.clock.advance(6)
    with pytest.raises(errors.InvalidGrant):
        application.refresh(first)


def test_8_authorization_code(world: World) -> None:
    application = world.application("public_integration")
    code = world.code(application)
    world.sandbox.clock.advance(31)
    with pytest.raises(errors.InvalidGrant):
        application.exchange(code, redirect_uri=CALLBACK, source_id="workspace-1")


def test_8_one_active_token(world: World) -> None:
    application = world.application("public_integration")
    first, other = connect(world, "workspace-1"), connect(world, "workspace-2")
    second = application.refresh(first.refresh_token or "")
    found = [lives(world, tokens.access_token) for tokens in (first, second, other)]
    assert found == [False, True, True]


def test_8_acknowledgement(world: World) -> None:
    """The receiving side does nothing that waits: what a delivery says is read without a call."""
    secret, body = new_secret(), b'{"questionnaire":{"id":"65a0","status":"IN_REVIEW"}}'
    signed = headers(body, signing_secrets=[secret], hook_id="msg_1", timestamp=NOW)
    assert verify(body, signed, [secret], now=NOW).hook_id == "msg_1"
    assert parse(body) == QuestionnaireStatusChanged(
        type="v1.questionnaire.status-changed", questionnaire_id="65a0", status="IN_REVIEW"
    )
    assert world.calls == []


@pytest.mark.parametrize(("late", "is_taken"), [(-301, False), (-300, True), (300, True), (301, False)])
def test_8_timestamp_tolerance(world: World, late: int, is_taken: bool) -> None:
    secret = new_secret()
    signed = headers(b"{}", signing_secrets=[secret], hook_id="msg_1", timestamp=NOW)
    if is_taken:
        assert verify(b"{}", signed, [secret], now=NOW + late).hook_id == "msg_1"
        return
    with pytest.raises(InvalidSignature):
        verify(b"{}", signed, [secret], now=NOW + late)


def test_8_account_manager_email(world: World) -> None:
    made = world.api.vendors.create("Cloud", account_manager_email="x" * 100)
    assert made.account_manager_email == "x" * 100


def test_8_contracts(world: World) -> None:
    refused_after(world, "contracts", [lambda: contract(world)])


def test_8_auditor_listed(world: World) -> None:
    audits, (audit_id, evidence_id), ids = world.api.audits, evidence(world), request(world)
    status = {"auditorEmail": AUDITOR, "stateTransition": "ACCEPT"}
    calls = [
        lambda: audits.evidence.update(audit_id, evidence_id, status_update=status),
        lambda: audits.framework_codes(audit(world)),
        lambda: audits.information_requests.delete(*ids),
        lambda: audits.share_information_requests(audit(world)),
    ]
    refused_after(world, "auditor_listed", calls)


def test_8_auditor_comments(world: World) -> None:
    audits, ids = world.api.audits, request_comment(world)
    calls = [
        lambda: audits.evidence.comments.create(*evidence(world), **COMMENT),
        lambda: audits.information_requests.comments.update(*ids, text="Why not?", email=AUDITOR),
        lambda: audits.information_requests.comments.delete(*ids, email=AUDITOR),
    ]
    refused_after(world, "auditor_comments", calls)
