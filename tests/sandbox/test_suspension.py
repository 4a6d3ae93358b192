"""Specification 4.5, 5 and 8: how tokens end before their time, and the budget of the token endpoint."""

from tests.sandbox.platform import Platform


def test_suspending_either_token_ends_the_grant(platform: Platform) -> None:
    for name in ("access_token", "refresh_token"):
        tokens = platform.connect()
        assert platform.suspend(tokens[name]).status_code == 200
        assert not platform.works(tokens["access_token"])
        assert platform.refresh(tokens["refresh_token"]).json["error"] == "invalid_grant"
        assert platform.suspend(tokens[name]).status_code == 200


def test_a_late_suspension_leaves_the_next_grant_alone(platform: Platform) -> None:
    old = platform.connect()
    new = platform.connect()
    assert platform.suspend(old["access_token"]).status_code == 200
    assert platform.works(new["access_token"])


def test_suspending_a_token_of_somebody_else_is_401(platform: Platform) -> None:
    tokens = platform.connect()
    assert platform.suspend(tokens["access_token"], "management").status_code == 401
    assert platform.suspend("sat_unknown").status_code == 401
    assert platform.works(tokens["access_token"])


def test_rotating_the_secret_ends_client_credentials_tokens_only(platform: Platform) -> None:
    grant, token = platform.connect(), platform.issue()
    for application in platform.sandbox.applications.all():
        platform.sandbox.applications.rotate_secret(application.client_id)
    assert not platform.works(token)
    assert platform.works(grant["access_token"])
    assert platform.refresh(grant["refresh_token"]).status_code == 200


def test_five_calls_a_minute_over_issue_refresh_and_suspend(platform: Platform) -> None:
    tokens = platform.connect()
    platform.sandbox.limits.change({"token": 5})
    management = platform.application("management")
    for _ in range(2):
        tokens = platform.refresh(tokens["refresh_token"]).json
    assert platform.suspend(tokens["access_token"]).status_code == 200
    assert platform.token(grant_type="client_credentials", scope="svc-api.all:read", **management).status_code == 200
    assert platform.http.post("/oauth/token", data="x").status_code == 400
    refused = platform.suspend(tokens["access_token"])
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    platform.sandbox.clock.advance(61)
    assert platform.suspend(tokens["access_token"]).status_code == 200


def test_the_platform_can_end_a_grant_by_itself(platform: Platform) -> None:
    tokens = platform.connect()
    platform.control("POST", f"/tenants/{platform.tenant.id}/revoke")
    assert not platform.works(tokens["access_token"])
    assert platform.refresh(tokens["refresh_token"]).json["error"] == "invalid_grant"
