"""The console's tenants, applications, faults and clock, and what guards its buttons."""

import re
from typing import Any

import pytest

from portal.sandbox.sandbox import Sandbox
from portal.sandbox.tenants import Tenant
from tests.sandbox_seed.conftest import Person


def test_a_tenant_is_created_from_the_first_page(person: Person, sandbox: Sandbox) -> None:
    assert "There is no tenant yet" in person.open("/console/")
    page = person.press("Create tenant", name="Globex", questionnaires="3", viewers="2", access_requests="1", contracts="1")
    assert "Globex was created." in page
    [tenant] = sandbox.tenants.all()
    counts = sandbox.objects.counts(tenant.id)
    assert (counts["questionnaires"], counts["viewers"], counts["access-requests"], counts["contracts"]) == (3, 2, 1, 1)


@pytest.mark.parametrize("typed", [{"name": " "}, {"name": "G", "viewers": "-1"}, {"name": "G", "contracts": "999999"}])
def test_it_refuses_a_tenant_without_name_or_with_impossible_counts(
    person: Person, sandbox: Sandbox, typed: dict[str, str]
) -> None:
    person.open("/console/")
    assert "notice-bad" in person.press("Create tenant", **typed)
    assert sandbox.tenants.all() == []


def test_names_from_outside_are_never_markup(person: Person, tenant: Tenant) -> None:
    assert "Northgate &lt;Cloud&gt;" in person.open("/console/")
    page = person.open(f"/console/tenants/{tenant.id}/objects/access-requests/?q=Söhne")
    assert "&lt;b&gt;Acme" in page and "<b>Acme" not in page


def test_redirect_addresses_are_added_and_removed_by_the_rules(person: Person, sandbox: Sandbox) -> None:
    public = sandbox.applications.all()[0]
    person.open("/console/applications/")
    person.press("Add", redirect_uri="http://127.0.0.1:8000/connect/callback/")
    assert "notice-bad" in person.press("Add", redirect_uri="http://portal.example/callback/")
    now = sandbox.applications.get(public.client_id)
    assert now and now.redirect_uris == ["http://127.0.0.1:8000/connect/callback/"]
    person.press("Remove")
    now = sandbox.applications.get(public.client_id)
    assert now and now.redirect_uris == []


def test_a_client_secret_is_rotated(person: Person, sandbox: Sandbox) -> None:
    before = sandbox.applications.all()[0]
    person.open("/console/applications/")
    page = person.press("Rotate the secret")
    after = sandbox.applications.get(before.client_id)
    assert after and after.client_secret != before.client_secret and after.client_secret in page


def test_faults_are_added_removed_and_cleared(person: Person, sandbox: Sandbox) -> None:
    person.open("/console/faults/")
    person.press("Add fault", kind="status", method="GET", path="/v1/users", value="503", times="2")
    person.press("Add fault", kind="latency", value="0.5")
    status, latency = sandbox.faults.all()
    assert (status.kind, status.method, status.path, status.value, status.times) == ("status", "GET", "/v1/users", 503, 2)
    assert (latency.method, latency.path, latency.value, latency.times) == (None, None, 0.5, None)
    person.press("Remove")
    assert sandbox.faults.all() == [latency]
    person.press("Clear all faults")
    assert sandbox.faults.all() == []
    assert "notice-bad" in person.press("Add fault", kind="status", value="soon")
    assert sandbox.faults.all() == []


def test_the_clock_moves_forward_only(person: Person, sandbox: Sandbox) -> None:
    before = sandbox.clock.seconds()
    person.open("/console/clock/")
    person.press("1 hour")
    assert 3600 <= sandbox.clock.seconds() - before < 3660
    assert "notice-bad" in person.press("Advance", seconds="-5")
    assert sandbox.clock.seconds() - before < 3660


def test_a_connection_is_ended_from_the_tenants_side(person: Person, sandbox: Sandbox, tenant: Tenant) -> None:
    public = sandbox.applications.all()[0]
    code = sandbox.grants.issue_code(
        public.client_id, redirect_uri="https://p.example/", source_id="s1", tenant_id=tenant.id, scope="self:read-document"
    )
    tokens = sandbox.grants.exchange(public.client_id, code=code, redirect_uri="https://p.example/", source_id="s1")
    assert sandbox.grants.caller(tokens.access_token)
    person.open(f"/console/tenants/{tenant.id}/")
    assert "No application is connected" in person.press("End")
    assert sandbox.grants.caller(tokens.access_token) is None


def test_the_latest_requests_are_shown_without_secrets(person: Person, sandbox: Sandbox, sandbox_app: Any) -> None:
    sandbox_app.test_client().get("/v1/users", headers={"Authorization": "Bearer secret-token"})
    page = person.open("/console/requests/")
    assert "GET /v1/users" in page and "401" in page and "secret-token" not in page


@pytest.mark.parametrize("token", [None, "", "guessed"])
def test_it_refuses_a_button_pressed_by_another_site(person: Person, sandbox: Sandbox, token: str | None) -> None:
    person.open("/console/")
    fields = {} if token is None else {"csrf_token": token}
    assert person.post("/console/clock/", seconds="60", **fields).status_code == 403
    assert person.post("/console/tenants/", name="Forged", region="us", **fields).status_code == 403
    assert sandbox.tenants.all() == []


def test_it_refuses_a_form_whose_cookie_is_missing(person: Person, sandbox_app: Any) -> None:
    [token] = set(re.findall(r'name="csrf_token" value="([^"]+)"', person.open("/console/")))
    stranger = sandbox_app.test_client()
    refused = stranger.post("/console/faults/clear", data={"csrf_token": token})
    assert refused.status_code == 403 and "out of date" in refused.get_data(as_text=True)
    assert person.post("/console/faults/clear", csrf_token=token).status_code == 303


@pytest.mark.parametrize(
    "address",
    ["tenants/x/", "tenants/x/endpoints/", "endpoints/x/", "endpoints/x/messages/y/", "tenants/x/objects/users/"],
)
def test_an_address_that_names_nothing_is_a_404(sandbox_app: Any, address: str) -> None:
    answer = sandbox_app.test_client().get(f"/console/{address}")
    assert answer.status_code == 404 and "There is no such" in answer.get_data(as_text=True)


def test_pages_run_under_a_policy_without_inline_code(person: Person, sandbox_app: Any, tenant: Tenant) -> None:
    client = sandbox_app.test_client()
    for address in ("/console/", f"/console/tenants/{tenant.id}/", "/console/faults/"):
        answer = client.get(address)
        policy, page = answer.headers["Content-Security-Policy"], answer.get_data(as_text=True)
        assert "default-src 'none'" in policy and "unsafe" not in policy and "form-action 'self'" in policy
        assert not re.search(r"<script|<style|\sstyle=|\son[a-z]+=", page)
    assert client.get("/console/static/console.css").status_code == 200
