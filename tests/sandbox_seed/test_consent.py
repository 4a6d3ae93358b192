"""The consent page: a person sees who asks and for what, and the decision reaches the application."""

from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from portal.sandbox.sandbox import Sandbox
from portal.sandbox.tenants import Tenant

CALLBACK = "http://127.0.0.1:8000/connect/callback/?via=1"


@pytest.fixture
def address(sandbox: Sandbox, tenant: Tenant) -> str:
    """Where the application sends the person."""
    public = sandbox.applications.all()[0]
    sandbox.applications.add_redirect_uri(public.client_id, CALLBACK)
    asked = {
        "client_id": public.client_id,
        "scope": " ".join(public.scopes),
        "state": "st<a>te",
        "redirect_uri": CALLBACK,
        "source_id": "workspace-1",
        "response_type": "code",
    }
    return f"/oauth/authorize?{urlencode(asked)}"


def returned(answer: Any) -> dict[str, str]:
    assert answer.status_code == 302 and answer.headers["Location"].startswith("http://127.0.0.1:8000/connect/callback/")
    return {name: values[0] for name, values in parse_qs(urlsplit(answer.headers["Location"]).query).items()}


def test_it_says_who_asks_for_what_and_lists_the_tenants(sandbox_app: Any, address: str, tenant: Tenant) -> None:
    answer = sandbox_app.test_client().get(address)
    page = answer.get_data(as_text=True)
    assert answer.status_code == 200
    assert "Northgate &lt;Cloud&gt;" in page and tenant.id in page
    assert "upload files to your documents" in page and "self:write-document" in page
    assert "127.0.0.1:8000/connect/callback/" in page
    # form-action would also forbid the redirect to the application that follows the button.
    assert "form-action" not in answer.headers["Content-Security-Policy"]


def test_allowing_sends_the_person_back_with_a_code(sandbox_app: Any, address: str, tenant: Tenant) -> None:
    back = returned(sandbox_app.test_client().post(address, data={"decision": "allow", "tenant_id": tenant.id}))
    assert back["state"] == "st<a>te" and back["via"] == "1" and back["code"]


def test_refusing_sends_the_person_back_without_a_code(sandbox_app: Any, address: str, tenant: Tenant) -> None:
    back = returned(sandbox_app.test_client().post(address, data={"decision": "deny", "tenant_id": tenant.id}))
    assert back["error"] == "access_denied" and back["state"] == "st<a>te" and "code" not in back


def test_a_wrong_application_gets_a_page_and_no_redirect(sandbox_app: Any, address: str) -> None:
    answer = sandbox_app.test_client().get(address.replace("client_id=", "client_id=x"))
    assert answer.status_code == 400 and "Location" not in answer.headers
    assert "<h1>" in answer.get_data(as_text=True)
