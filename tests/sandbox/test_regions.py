"""Specification 5 and platform-api 2.2: each region has an app host of its own, government an API host of its own.

One process stands for all of them; its bare address for every one at once.
"""

from itertools import product

import pytest
from werkzeug.test import TestResponse

from tests.sandbox.platform import Platform

HOSTS = {"us": "us.platform.test", "eu": "eu.platform.test", "au": "aus.platform.test", "gov": "gov.platform.test"}
"""As the specification's hosts differ; the paths are for machines that cannot resolve such names."""
PATHS = {"us": "/us", "eu": "/eu", "au": "/aus", "gov": "/gov"}


class Regions:
    """The sandbox with one organization in each region, called by host or by path."""

    def __init__(self, platform: Platform, form: str) -> None:
        self.platform, self.form = platform, form
        self.tenants = {region: platform.sandbox.tenants.create(f"In {region}", region=region) for region in HOSTS}

    def open(self, region: str, path: str, method: str = "GET", **options: object) -> TestResponse:
        if self.form == "path":
            return self.platform.http.open(PATHS[region] + path, method=method, **options)
        return self.platform.http.open(path, method=method, base_url=f"http://{HOSTS[region]}", **options)

    def consent(self, region: str, tenant: str) -> TestResponse:
        form = {"decision": "allow", "tenant_id": self.tenants[tenant].id}
        return self.open(region, self.platform.consent_address(), "POST", data=form)

    def code(self, region: str) -> str:
        return self.consent(region, region).location.partition("code=")[2].partition("&")[0]

    def token(self, region: str, **body: str) -> TestResponse:
        application = self.platform.application("public_integration")
        body = application | {"redirect_uri": "https://portal.test/connect/callback/", "source_id": "workspace-1"} | body
        if region == "gov":
            return self.open("gov", "/oauth/token", "POST", json=body)
        return self.platform.http.post("/oauth/token", json=body)

    def exchange(self, region: str, code: str) -> TestResponse:
        return self.token(region, grant_type="authorization_code", code=code)


@pytest.fixture(params=["host", "path"])
def regions(platform: Platform, request: pytest.FixtureRequest) -> Regions:
    return Regions(platform, request.param)


def test_r7_an_app_host_lists_its_own_organizations_only(regions: Regions) -> None:
    for region in HOSTS:
        page = regions.open(region, regions.platform.consent_address()).text
        assert [other for other in HOSTS if f"In {other}" in page] == [region]


def test_r7_an_app_host_takes_the_consent_of_its_own_organizations_only(regions: Regions) -> None:
    for region, tenant in product(HOSTS, HOSTS):
        answer = regions.consent(region, tenant)
        assert answer.status_code == (302 if region == tenant else 400), (region, tenant)
        assert ("Location" in answer.headers) == (region == tenant), (region, tenant)
        assert region == tenant or "another region" in answer.text, (region, tenant)


def test_r7_a_region_without_organizations_says_so_and_can_be_refused(platform: Platform) -> None:
    page = platform.http.get(f"/gov{platform.consent_address()}")
    assert "No organization lives in this region" in page.text
    answer = platform.http.post(f"/gov{platform.consent_address()}", data={"decision": "deny"})
    assert "error=access_denied" in answer.location


@pytest.mark.parametrize(("given", "called", "status"), [
    ("us", "us", 200), ("eu", "us", 200), ("au", "us", 200), ("gov", "gov", 200), ("gov", "us", 400), ("eu", "gov", 400),
])  # fmt: skip
def test_r7_a_code_is_exchanged_at_its_own_api_host(regions: Regions, given: str, called: str, status: int) -> None:
    answer = regions.exchange(called, regions.code(given))
    assert answer.status_code == status
    assert status == 200 or answer.json["error"] == "invalid_grant"


def test_r7_a_code_that_came_to_the_wrong_host_is_not_used_up(regions: Regions) -> None:
    code = regions.code("gov")
    assert regions.exchange("us", code).status_code == 400
    assert regions.exchange("gov", code).status_code == 200


def test_r7_tokens_are_good_at_their_own_api_host_only(regions: Regions) -> None:
    tokens = regions.exchange("gov", regions.code("gov")).json
    bearer = {"Authorization": f"Bearer {tokens['access_token']}"}
    assert regions.platform.http.get("/v1/users", headers=bearer).status_code == 401
    assert regions.open("gov", "/v1/users", headers=bearer).status_code == 200
    refreshed = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    assert regions.token("us", **refreshed).json["error"] == "invalid_grant"
    assert regions.platform.suspend(tokens["refresh_token"]).status_code == 401
    assert regions.token("gov", **refreshed).status_code == 200
    body = {"token": tokens["refresh_token"], **regions.platform.application("public_integration")}
    assert regions.open("gov", "/v1/oauth/token/suspend", "POST", json=body).status_code == 200


def test_r7_an_application_of_another_region_is_unknown_to_the_government(regions: Regions) -> None:
    body = {"grant_type": "client_credentials", "scope": "svc-api.all:read"} | regions.platform.application("management")
    # The applications of the first start are of the organization that was made last.
    assert regions.open("gov", "/oauth/token", "POST", json=body).status_code == 200
    regions.platform.sandbox.tenants.create("Later", region="eu")
    assert regions.open("gov", "/oauth/token", "POST", json=body).json["error"] == "invalid_client"
    assert regions.platform.http.post("/oauth/token", json=body).status_code == 200


@pytest.mark.parametrize("region", ["us", "eu", "au"])
@pytest.mark.parametrize("path", ["/v1/users", "/oauth/token", "/v1/oauth/token/suspend"])
def test_7_an_app_host_is_no_api_host(regions: Regions, region: str, path: str) -> None:
    answer = regions.open(region, path, "GET" if path == "/v1/users" else "POST")
    assert (answer.status_code, answer.mimetype) == (308, "text/plain")
    assert answer.headers["Location"] == f"http://{'platform.test' if regions.form == 'host' else 'localhost'}{path}"


@pytest.mark.parametrize("region", HOSTS)
def test_the_bare_address_stands_for_every_region(platform: Platform, region: str) -> None:
    tenant = platform.sandbox.tenants.create(f"In {region}", region=region)
    assert f"In {region}" in platform.http.get(platform.consent_address()).text
    code = platform.consent(tenant_id=tenant.id)["code"]
    assert platform.exchange(code).status_code == 200


def test_the_pages_of_an_app_host_find_their_style(platform: Platform) -> None:
    page = platform.http.get(f"/eu{platform.consent_address()}").text
    style = page.partition('rel="stylesheet" href="')[2].partition('"')[0]
    assert platform.http.get(style).status_code == 200
