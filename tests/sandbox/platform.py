"""The sandbox as a test sees it: an application in memory, one tenant, and calls with a token."""

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import requests
from flask import Flask
from requests.adapters import BaseAdapter
from werkzeug.test import TestResponse

from portal.sandbox.sandbox import Sandbox
from portal.sandbox.tenants import Tenant
from tests.sandbox.answers import check_answer
from tests.support.sandboxes import fresh

CALLBACK = "https://portal.test/connect/callback/"
COUNTS = {
    "questionnaires": 12,
    "responses_per_questionnaire": 4,
    "access_requests": 6,
    "viewers": 8,
    "contracts": 5,
}
SCOPE = "connectors.self:read-resource connectors.self:write-resource self:read-document self:write-document"


@dataclass
class Receiver(BaseAdapter):
    """Stands for every webhook address: keeps what arrives and answers what it is told to, 204 by default."""

    statuses: list[int | Exception] = field(default_factory=list)
    received: list[requests.PreparedRequest] = field(default_factory=list)
    options: list[Mapping[str, Any]] = field(default_factory=list)

    def send(self, request: requests.PreparedRequest, **options: Any) -> requests.Response:  # type: ignore[override]
        self.received.append(request)
        self.options.append(options)
        status = self.statuses.pop(0) if self.statuses else 204
        if isinstance(status, Exception):
            raise status
        response = requests.Response()
        response.status_code = status
        response.headers["Location"] = "https://elsewhere.test/"
        response.request, response.url = request, request.url or ""
        response.raw = io.BytesIO(b"thanks")
        return response

    def close(self) -> None:
        """Nothing is held open."""


class Platform:
    """A sandbox with one tenant, and shortcuts through the token endpoint."""

    def __init__(self, **options: Any) -> None:
        self.receiver = Receiver()
        app, _ = fresh(tenant={"name": "Northwind", **COUNTS}, receiver=self.receiver, **options)
        self.app: Flask = app
        self.sandbox: Sandbox = app.extensions["sandbox"]
        self.http = app.test_client()
        self.tenant: Tenant = self.sandbox.tenants.all()[0]
        self.headers: dict[str, str] = {}

    def application(self, application_type: str) -> dict[str, str]:
        found = next(a for a in self.sandbox.applications.all() if a.type == application_type)
        return {"client_id": found.client_id, "client_secret": found.client_secret}

    def token(self, **body: Any) -> TestResponse:
        return self.http.post("/oauth/token", json=body)

    def issue(self, application_type: str = "management", scope: str = "svc-api.all:read svc-api.all:write") -> str:
        body = self.application(application_type)
        answer = self.token(grant_type="client_credentials", scope=scope, **body)
        assert answer.status_code == 200, answer.text
        return str(answer.json["access_token"])

    def consent_address(self, **changes: str | None) -> str:
        client_id = self.application("public_integration")["client_id"]
        self.sandbox.applications.add_redirect_uri(client_id, CALLBACK)
        query = {
            "client_id": client_id,
            "scope": SCOPE,
            "state": "st&te",
            "redirect_uri": CALLBACK,
            "source_id": "workspace-1",
            "response_type": "code",
        } | changes
        return "/oauth/authorize?" + urlencode({name: value for name, value in query.items() if value is not None})

    def consent(self, *, tenant_id: str | None = None, **changes: str | None) -> dict[str, str]:
        """Allow the connection; return the query that comes back."""
        form = {"decision": "allow", "tenant_id": tenant_id or self.tenant.id}
        answer = self.http.post(self.consent_address(**changes), data=form)
        assert answer.status_code == 302, answer.text
        return {name: values[0] for name, values in parse_qs(urlsplit(answer.location).query).items()}

    def exchange(self, code: str, **changes: str) -> TestResponse:
        body = {
            **self.application("public_integration"),
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": CALLBACK,
            "source_id": "workspace-1",
        }
        return self.token(**(body | changes))

    def connect(self, source_id: str = "workspace-1") -> dict[str, Any]:
        """Walk through consent and exchange; return the tokens."""
        code = self.consent(source_id=source_id)["code"]
        tokens: dict[str, Any] = self.exchange(code, source_id=source_id).json
        return tokens

    def refresh(self, refresh_token: str) -> TestResponse:
        application = self.application("public_integration")
        return self.token(grant_type="refresh_token", refresh_token=refresh_token, **application)

    def suspend(self, token: str, application_type: str = "public_integration") -> TestResponse:
        body = {"token": token, **self.application(application_type)}
        return self.http.post("/v1/oauth/token/suspend", json=body)

    def works(self, access_token: str) -> bool:
        answer = self.http.get("/v1/users", headers={"Authorization": f"Bearer {access_token}"})
        assert answer.status_code in {200, 401}
        return answer.status_code == 200

    def call(self, method: str, path: str, **options: Any) -> TestResponse:
        """Call the API with a token of the management application."""
        if not self.headers:
            self.headers = {"Authorization": f"Bearer {self.issue()}"}
        is_faulty = bool(self.sandbox.faults.all())
        answer = self.http.open(f"/v1{path}", method=method, headers=self.headers, **options)
        if not is_faulty:
            check_answer(method, f"/v1{path}", answer)
        return answer

    def get(self, path: str, **query: Any) -> Any:
        answer = self.call("GET", path, query_string=query)
        assert answer.status_code == 200, answer.text
        return answer.json

    def data(self, path: str, **query: Any) -> list[dict[str, Any]]:
        """Return the objects of one page of a list."""
        found: list[dict[str, Any]] = self.get(path, **({"pageSize": 100} | query))["results"]["data"]
        return found

    def control(self, method: str, path: str, /, **body: Any) -> Any:
        answer = self.http.open(f"/_control{path}", method=method, json=body or None)
        assert answer.status_code < 300, answer.text
        return answer.json if answer.data else None

    def listen(self, *event_types: str, url: str = "https://portal.test/hooks/1/") -> dict[str, str]:
        """Register a webhook endpoint; return its id and secret."""
        body = {"tenant_id": self.tenant.id, "url": url, "event_types": [*event_types]}
        answer: dict[str, str] = self.control("POST", "/endpoints", **body)
        return answer

    def trust_center(self, path: str = "") -> str:
        return f"/trust-centers/{self.tenant.slug_id}{path}"

    def fire(self, event_type: str = "v1.questionnaire.status-changed", **body: Any) -> str:
        """Let an event happen; return its hook-id."""
        answer = self.control("POST", "/events", tenant_id=self.tenant.id, type=event_type, **body)
        return str(answer["hook_id"])

    def history(self, endpoint: dict[str, str]) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.control("GET", f"/messages/{endpoint['endpoint_id']}")
        return found

    def messages(self) -> list[tuple[str, Any]]:
        """Return all messages ever sent, the oldest first, as type and payload."""
        rows = self.sandbox.store.rows("SELECT type, body FROM messages ORDER BY rowid")
        return [(row["type"], json.loads(row["body"])) for row in rows]
