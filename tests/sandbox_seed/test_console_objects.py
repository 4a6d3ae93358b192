"""Objects in the console: every table and page, and buttons that fire the events the API would fire."""

from typing import Any

import pytest
import responses as receivers

from portal.sandbox.kinds import KINDS
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.tenants import Tenant
from tests.sandbox_seed.conftest import Person, delivered


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_table_and_every_object_a_page(person: Person, sandbox: Sandbox, tenant: Tenant, kind: str) -> None:
    page = person.open(f"/console/tenants/{tenant.id}/objects/{kind}/")
    first = sandbox.objects.all(tenant.id, kind, limit=1)
    if first:
        assert first[0]["id"] in person.open(f"/console/tenants/{tenant.id}/objects/{kind}/{first[0]['id']}/")
    else:
        assert "There are none." in page


def test_long_tables_have_pages(person: Person, tenant: Tenant) -> None:
    first = person.open(f"/console/tenants/{tenant.id}/objects/questionnaires/")
    second = person.follow("Next")
    assert "1–50" in first and "51–60" in second and "Next" not in second
    assert "1–50" in person.follow("Previous")


def test_a_search_finds_text_and_takes_wildcards_literally(person: Person, tenant: Tenant) -> None:
    address = f"/console/tenants/{tenant.id}/objects/access-requests/"
    assert "einkauf@acme-soehne.example" in person.open(f"{address}?q=EINKAUF@")
    assert "Nothing matches" in person.open(f"{address}?q=%25e_nkauf%25")


def test_a_changed_status_is_logged_and_told(
    person: Person, sandbox: Sandbox, tenant: Tenant, listening: str, receiver: receivers.RequestsMock
) -> None:
    questionnaire = next(q for q in sandbox.objects.all(tenant.id, "questionnaires") if q["status"] == "IN_PROGRESS")
    person.open(f"/console/tenants/{tenant.id}/objects/questionnaires/{questionnaire['id']}/")
    assert "The status is ON_HOLD now." in person.press("Change status", status="ON_HOLD")
    changed = sandbox.objects.get(tenant.id, "questionnaires", questionnaire["id"])
    assert changed["status"] == changed["statusLog"][0]["status"] == "ON_HOLD"
    assert delivered(sandbox, receiver) == [{"questionnaire": {"id": questionnaire["id"], "status": "ON_HOLD"}}]


def test_a_deleted_questionnaire_is_gone_and_told(
    person: Person, sandbox: Sandbox, tenant: Tenant, listening: str, receiver: receivers.RequestsMock
) -> None:
    questionnaire = sandbox.objects.all(tenant.id, "questionnaires")[0]
    person.open(f"/console/tenants/{tenant.id}/objects/questionnaires/{questionnaire['id']}/")
    person.press("Delete this questionnaire")
    assert sandbox.objects.counts(tenant.id)["questionnaires"] == 59
    assert delivered(sandbox, receiver) == [{"questionnaire": {"id": questionnaire["id"]}}]


def test_a_response_is_approved_by_a_user_of_the_tenant(person: Person, sandbox: Sandbox, tenant: Tenant) -> None:
    response = next(r for r in sandbox.objects.all(tenant.id, "responses") if not r["approvedBy"])
    person.open(f"/console/tenants/{tenant.id}/objects/responses/{response['id']}/")
    page = person.press("Approve this response")
    approved = sandbox.objects.get(tenant.id, "responses", response["id"])["approvedBy"]
    assert approved["organizationId"] == tenant.organization_id
    assert f"approved by {approved['email']}" in page and "Approve this response" not in page


def test_an_access_request_is_added_approved_and_told(
    person: Person, sandbox: Sandbox, tenant: Tenant, listening: str, receiver: receivers.RequestsMock
) -> None:
    person.open(f"/console/tenants/{tenant.id}/")
    person.press("Add access request", name="Ada Buyer", email="ada@new-customer.example")
    added = sandbox.objects.all(tenant.id, "access-requests", limit=1)[0]
    assert added["email"] == "ada@new-customer.example"
    assert "APPROVED" in person.press("Approve")
    received, approved = delivered(sandbox, receiver)
    assert received == {"trustCenter": {"slugId": tenant.slug_id}, "accessRequest": {"id": added["id"]}}
    viewer = sandbox.objects.get(tenant.id, "viewers", approved["viewer"]["id"])
    assert viewer["email"] == "ada@new-customer.example"


def test_an_access_request_of_an_account_that_approves_arrives_decided(
    person: Person, sandbox: Sandbox, tenant: Tenant
) -> None:
    sandbox.switches.change({"auto_approval": True})
    accounts = sandbox.objects.all(tenant.id, "accounts")
    domain = next(each["emailDomain"] for each in accounts if each["accessConfig"]["autoApprovalEnabled"])
    person.open(f"/console/tenants/{tenant.id}/")
    page = person.press("Add access request", name="Ada Buyer", email=f"ada@{domain}")
    assert "approved by its account" in page and "APPROVED" in page


def test_an_access_request_is_denied(person: Person, sandbox: Sandbox, tenant: Tenant) -> None:
    request = sandbox.objects.all(tenant.id, "access-requests")[0]
    person.open(f"/console/tenants/{tenant.id}/objects/access-requests/{request['id']}/")
    person.press("Deny")
    assert sandbox.objects.get(tenant.id, "historical-access-requests", request["id"])["outcome"] == "DENIED"


def test_it_refuses_an_access_request_without_an_address(person: Person, sandbox: Sandbox, tenant: Tenant) -> None:
    person.open(f"/console/tenants/{tenant.id}/")
    assert "notice-bad" in person.press("Add access request", email="nobody")
    assert sandbox.objects.counts(tenant.id)["access-requests"] == 6


def test_an_object_of_another_tenant_is_a_404(sandbox: Sandbox, tenant: Tenant, sandbox_app: Any) -> None:
    other = sandbox.tenants.create("Globex", questionnaires=1)
    [foreign] = sandbox.objects.all(other.id, "questionnaires")
    address = f"/console/tenants/{tenant.id}/objects/questionnaires/{foreign['id']}/"
    assert sandbox_app.test_client().get(address).status_code == 404
