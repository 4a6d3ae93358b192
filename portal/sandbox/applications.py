"""Registered applications: their types, scopes, secrets and redirect addresses (specification 5, platform-api 2.1)."""

import json
import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from hmac import compare_digest
from urllib.parse import urlsplit

from portal.sandbox.clock import Clock
from portal.sandbox.store import Row, Store

PUBLIC, PRIVATE, MANAGEMENT, AUDITOR = "public_integration", "private_integration", "management", "auditor"
INTEGRATION_SCOPES = (
    "connectors.self:read-resource",
    "connectors.self:write-resource",
    "self:read-document",
    "self:write-document",
)
MANAGEMENT_SCOPES = (
    "svc-api.all:read",
    "svc-api.all:write",
    "svc-api.documents:upload",
    "svc-api.documents:read",
    "svc-api.documents:list",
    "svc-api.documents:write",
    "svc-api.vendors:read",
    "svc-api.vendors:write",
    "svc-api.issues:read",
    "svc-api.issues:write",
)
AUDITOR_SCOPES = (
    "auditor-api.audit:read",
    "auditor-api.audit:write",
    "auditor-api.auditor:read",
    "auditor-api.auditor:write",
)
SCOPES_OF = {
    PUBLIC: INTEGRATION_SCOPES,
    PRIVATE: INTEGRATION_SCOPES,
    MANAGEMENT: MANAGEMENT_SCOPES,
    AUDITOR: AUDITOR_SCOPES,
}
NAMES = {
    PUBLIC: "Customer trust integration",
    PRIVATE: "Private integration",
    MANAGEMENT: "Management application",
    AUDITOR: "Auditor application",
}


@dataclass(frozen=True, kw_only=True)
class Application:
    type: str
    name: str
    client_id: str
    client_secret: str = field(repr=False)
    scopes: list[str]
    redirect_uris: list[str]
    tenant_id: str | None
    """The tenant whose own application this is; None: the tenant that was made last (see Grants.tenant_of)."""

    @classmethod
    def from_row(cls, row: Row) -> "Application":
        values = {name: row[name] for name in ("type", "name", "client_id", "client_secret", "tenant_id")}
        return cls(scopes=json.loads(row["scopes"]), redirect_uris=json.loads(row["redirect_uris"]), **values)

    def may_request(self, scope: str) -> bool:
        """Say whether every scope of a request is one that this type of application may have (specification 5)."""
        wanted = scope.split()
        return bool(wanted) and set(wanted) <= set(self.scopes)


class Applications:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def all(self) -> list[Application]:
        """Return all applications, the oldest first."""
        return [Application.from_row(row) for row in self._store.rows("SELECT * FROM applications ORDER BY rowid")]

    def get(self, client_id: str) -> Application | None:
        row = self._store.row("SELECT * FROM applications WHERE client_id = ?", client_id)
        return None if row is None else Application.from_row(row)

    def authenticate(self, client_id: str, client_secret: str) -> Application | None:
        """Return the application if the secret is its present one."""
        application = self.get(client_id)
        known = application.client_secret if application else ""
        return application if known and compare_digest(known.encode(), client_secret.encode()) else None

    def create(
        self, application_type: str, *, client_id: str = "", client_secret: str = "", tenant_id: str | None = None
    ) -> Application:
        """Register one more application of a type. Raises ValueError for an unknown type."""
        if application_type not in SCOPES_OF:
            raise ValueError(f"unknown application type: {application_type}")
        client_id = client_id or f"sci_{secrets.token_hex(16)}"
        self._store.insert(
            "applications",
            client_id=client_id,
            type=application_type,
            name=NAMES[application_type],
            client_secret=client_secret or f"scs_{secrets.token_urlsafe(32)}",
            scopes=json.dumps(SCOPES_OF[application_type]),
            redirect_uris="[]",
            tenant_id=tenant_id,
            created_at=self._clock.seconds(),
        )
        return self._must_get(client_id)

    def ensure(self) -> None:
        """Make one application of each type at the first start. The public one can be fixed by the environment."""
        with self._store.transaction():
            if self.all():
                return
            self.create(
                PUBLIC,
                client_id=os.environ.get("SANDBOX_PUBLIC_CLIENT_ID", ""),
                client_secret=os.environ.get("SANDBOX_PUBLIC_CLIENT_SECRET", ""),
            )
            for application_type in (PRIVATE, MANAGEMENT, AUDITOR):
                self.create(application_type)

    def add_redirect_uri(self, client_id: str, redirect_uri: str) -> None:
        """Register an address to return to. Raises ValueError when the rules of platform-api 2.1 forbid it."""
        problem = redirect_uri_problem(redirect_uri)
        if problem:
            raise ValueError(problem)
        with self._store.transaction():
            uris = self._must_get(client_id).redirect_uris
            self._save_redirect_uris(client_id, [*uris, *([] if redirect_uri in uris else [redirect_uri])])

    def remove_redirect_uri(self, client_id: str, redirect_uri: str) -> None:
        with self._store.transaction():
            uris = self._must_get(client_id).redirect_uris
            self._save_redirect_uris(client_id, [uri for uri in uris if uri != redirect_uri])

    def rotate_secret(self, client_id: str) -> str:
        """Give the application a new secret and end the tokens that were issued to the old one.

        Tokens of customers' grants live on (specification 5): only client-credentials grants have no source_id.
        """
        secret = f"scs_{secrets.token_urlsafe(32)}"
        with self._store.transaction():
            self._store.write("UPDATE applications SET client_secret = ? WHERE client_id = ?", secret, client_id)
            self._store.write(
                "UPDATE access_tokens SET revoked_at = ? WHERE revoked_at IS NULL AND grant_id IN"
                " (SELECT id FROM grants WHERE client_id = ? AND source_id IS NULL)",
                self._clock.seconds(),
                client_id,
            )
        return secret

    def _must_get(self, client_id: str) -> Application:
        application = self.get(client_id)
        if application is None:
            raise KeyError(client_id)
        return application

    def _save_redirect_uris(self, client_id: str, uris: Sequence[str]) -> None:
        self._store.write("UPDATE applications SET redirect_uris = ? WHERE client_id = ?", json.dumps([*uris]), client_id)


def redirect_uri_problem(redirect_uri: str) -> str | None:
    """Say what is wrong with an address: https only, except localhost; no fragment (platform-api 2.1)."""
    try:
        parts = urlsplit(redirect_uri)
        host = parts.hostname
    except ValueError:
        return "The redirect URI is not an address."
    if not host or parts.scheme not in {"http", "https"}:
        return "The redirect URI must be a full https address."
    if parts.scheme == "http" and host not in {"localhost", "127.0.0.1"}:
        return "The redirect URI must use https; http is allowed for localhost and 127.0.0.1 only."
    return "The redirect URI must not have a fragment." if "#" in redirect_uri else None
