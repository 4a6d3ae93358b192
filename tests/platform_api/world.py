"""The world of these tests: a sandbox in this process, one tenant in it, and a client that is allowed everything."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import requests

from portal.platform_api import Call, Platform
from portal.platform_api.oauth import OAuthApplication
from tests.support.sandboxes import fresh
from tests.support.wsgi_adapter import WsgiAdapter

BASE_URL = "http://platform.test"
CALLBACK = "https://portal.test/connect/callback/"
MANAGEMENT_SCOPE = "svc-api.all:read svc-api.all:write"
COUNTS = {"questionnaires": 3, "responses_per_questionnaire": 4, "access_requests": 6, "viewers": 4, "contracts": 2}
INTEGRATION_SCOPE = "self:read-document self:write-document"


@dataclass
class Tokens:
    """A token source that mints with a function and keeps count."""

    mint: Callable[[], str]
    token: str = ""
    refused: list[str] = field(default_factory=list)

    def current(self) -> str:
        self.token = self.token or self.mint()
        return self.token

    def renew(self, stale: str) -> str:
        self.refused.append(stale)
        self.token = self.mint()
        return self.token


class World:
    def __init__(self) -> None:
        self.app, _ = fresh(tenant={"name": "Northwind", **COUNTS})
        self.sandbox = self.app.extensions["sandbox"]
        self.tenant = self.sandbox.tenants.all()[0]
        self.session = requests.Session()
        self.session.mount(BASE_URL, WsgiAdapter(self.app))
        self.calls: list[Call] = []
        self.tokens = Tokens(self.mint)
        self.api = self.client()
        self.trust_center = self.api.trust_center(self.tenant.slug_id)

    def client(self, **options: Any) -> Platform:
        options = {"tokens": self.tokens, "session": self.session, "observe": self.calls.append} | options
        return Platform(BASE_URL, **options)

    def mint(self) -> str:
        """Issue a token of the tenant's own application. Not over HTTP: faults of a test are for the call it tests."""
        application = next(each for each in self.sandbox.applications.all() if each.type == "management")
        token: str = self.sandbox.grants.issue(application, scope=MANAGEMENT_SCOPE).access_token
        return token

    def application(self, application_type: str, **changes: str) -> OAuthApplication:
        found = next(each for each in self.sandbox.applications.all() if each.type == application_type)
        credentials = {"client_id": found.client_id, "client_secret": found.client_secret} | changes
        return OAuthApplication(BASE_URL, session=self.session, **credentials)

    def code(self, application: OAuthApplication, *, source_id: str = "workspace-1") -> str:
        """Walk through consent; return the code."""
        client_id = next(each for each in self.sandbox.applications.all() if each.type == "public_integration").client_id
        self.sandbox.applications.add_redirect_uri(client_id, CALLBACK)
        url = application.authorize_url(
            BASE_URL, scope=INTEGRATION_SCOPE, state="st&te", redirect_uri=CALLBACK, source_id=source_id
        )
        form = {"decision": "allow", "tenant_id": self.tenant.id}
        answer = self.session.post(url, data=form, allow_redirects=False)
        assert answer.status_code == 302, answer.text
        query = parse_qs(urlsplit(answer.headers["Location"]).query)
        assert query["state"] == ["st&te"]
        return query["code"][0]

    def fail(self, kind: str, **fault: Any) -> None:
        self.sandbox.faults.add(kind, **fault)

    def requests(self) -> list[dict[str, Any]]:
        """Return what the sandbox saw of the API, token calls left out."""
        return [seen for seen in self.sandbox.request_log.since(0) if "/oauth/" not in seen["path"]]

    def keep(self, kind: str, object_id: str, **facts: Any) -> None:
        """Add an object as it is given."""
        self.sandbox.objects.add(self.tenant.id, kind, {"id": object_id, **facts})

    def ids(self, kind: str) -> list[str]:
        return [found["id"] for found in self.sandbox.objects.all(self.tenant.id, kind)]

    def id_of(self, kind: str) -> str:
        return self.ids(kind)[0]
