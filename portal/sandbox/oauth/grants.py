"""Codes, access tokens and refresh tokens. Only their hashes are kept."""

import secrets
from dataclasses import dataclass, field
from hashlib import sha256

from portal.sandbox.applications import Application, Applications
from portal.sandbox.clock import Clock
from portal.sandbox.regions import cell_of, is_at_home
from portal.sandbox.store import Row, Store

CODE_SECONDS = 30
ACCESS_SECONDS = 3600
GRACE_SECONDS = 3 * 3600
"""How long a refresh token stays valid after its first use (specification 3.6)."""


class InvalidGrant(Exception):
    """The code or the refresh token is not good (any more), or belongs to something else."""


class NotOurs(Exception):
    """The token does not belong to the application that wants it suspended."""


@dataclass(frozen=True)
class Tokens:
    access_token: str = field(repr=False)
    refresh_token: str | None = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class Caller:
    """Whom a living access token speaks for."""

    application: Application
    source_id: str | None
    tenant_id: str | None
    scope: str
    cell: str = ""
    """Whose API host the grant is good at; empty for every one."""


class Grants:
    def __init__(self, store: Store, clock: Clock, *, applications: Applications) -> None:
        self._store = store
        self._clock = clock
        self._applications = applications

    def issue_code(
        self, client_id: str, *, redirect_uri: str, source_id: str, tenant_id: str, scope: str, region: str = ""
    ) -> str:
        """Make the code that goes back through the browser; it lives 30 seconds. `region` is that of the app host."""
        code = f"sac_{secrets.token_urlsafe(24)}"
        self._store.insert(
            "codes",
            hash=hashed(code),
            client_id=client_id,
            redirect_uri=redirect_uri,
            source_id=source_id,
            tenant_id=tenant_id,
            scope=scope,
            expires_at=self._clock.seconds() + CODE_SECONDS,
            cell=cell_of(region),
        )
        return code

    def exchange(self, client_id: str, *, code: str, redirect_uri: str, source_id: str, region: str = "") -> Tokens:
        """Turn a code into a grant with its first tokens, at the API host of its own region. Raises InvalidGrant."""
        now = self._clock.seconds()
        with self._store.transaction():
            row = self._store.row("SELECT * FROM codes WHERE hash = ?", hashed(code))
            bound = (client_id, redirect_uri, source_id)
            if row is None or (row["client_id"], row["redirect_uri"], row["source_id"]) != bound:
                raise InvalidGrant("The code is not valid for this application, redirect_uri and source_id.")
            if not is_at_home(row["cell"], region):
                raise InvalidGrant("The code was given on the host of another region.")
            if row["used_at"] is not None or row["expires_at"] <= now:
                raise InvalidGrant("The code was used already or has expired.")
            self._store.write("UPDATE codes SET used_at = ? WHERE hash = ?", now, hashed(code))
            grant_id = self._add_grant(
                client_id, source_id=source_id, tenant_id=row["tenant_id"], scope=row["scope"], cell=row["cell"]
            )
            return self._mint(grant_id, client_id=client_id, source_id=source_id)

    def refresh(self, client_id: str, *, refresh_token: str, region: str = "") -> Tokens:
        """Give new tokens for a refresh token, which stays good for three hours after its first use."""
        now = self._clock.seconds()
        with self._store.transaction():
            row = self._store.row(
                "SELECT r.*, g.client_id, g.source_id, g.cell FROM refresh_tokens r JOIN grants g ON g.id = r.grant_id"
                " WHERE hash = ?",
                hashed(refresh_token),
            )
            if row is None or row["client_id"] != client_id or row["revoked_at"] is not None:
                raise InvalidGrant("The refresh token is not valid.")
            if not is_at_home(row["cell"], region):
                raise InvalidGrant("The refresh token is of another region.")
            if row["first_used_at"] is not None and row["first_used_at"] + GRACE_SECONDS <= now:
                raise InvalidGrant("The refresh token is no longer valid.")
            self._store.write(
                "UPDATE refresh_tokens SET first_used_at = ifnull(first_used_at, ?) WHERE hash = ?", now, row["hash"]
            )
            return self._mint(row["grant_id"], client_id=client_id, source_id=row["source_id"])

    def issue(self, application: Application, *, scope: str, region: str = "") -> Tokens:
        """Give a client-credentials application its token."""
        with self._store.transaction():
            tenant_id = self.tenant_of(application.tenant_id)
            grant_id = self._add_grant(
                application.client_id, source_id=None, tenant_id=tenant_id, scope=scope, cell=cell_of(region)
            )
            return self._mint(grant_id, client_id=application.client_id, source_id=None)

    def suspend(self, client_id: str, *, token: str, region: str = "") -> None:
        """End a grant by one of its tokens; both of its kinds die (platform-api U4). Raises NotOurs.

        Only this grant: a late repeat must not end what the customer connected anew under the same source_id.
        """
        row = self._store.row(
            "SELECT g.* FROM grants g WHERE g.client_id = ? AND (g.id IN (SELECT grant_id FROM access_tokens WHERE hash = ?)"
            " OR g.id IN (SELECT grant_id FROM refresh_tokens WHERE hash = ?))",
            client_id,
            hashed(token),
            hashed(token),
        )
        if row is None or not is_at_home(row["cell"], region):
            raise NotOurs
        self.revoke(row["id"])

    def revoke(self, grant_id: int) -> None:
        """End a grant from the platform's side."""
        now = self._clock.seconds()
        with self._store.transaction():
            for table in ("access_tokens", "refresh_tokens"):
                sql = f"UPDATE {table} SET revoked_at = ? WHERE grant_id = ? AND revoked_at IS NULL"  # noqa: S608
                self._store.write(sql, now, grant_id)

    def supersede(self, client_id: str, *, source_id: str | None) -> int:
        """End the living access token, as any mint does; say how many there were."""
        return self._store.write(
            "UPDATE access_tokens SET revoked_at = ? WHERE revoked_at IS NULL AND grant_id IN"
            " (SELECT id FROM grants WHERE client_id = ? AND source_id IS ?)",
            self._clock.seconds(),
            client_id,
            source_id,
        )

    def caller(self, access_token: str) -> Caller | None:
        """Say whom a token speaks for; None when it is unknown, expired, revoked or superseded."""
        row = self._store.row(
            "SELECT g.* FROM access_tokens t JOIN grants g ON g.id = t.grant_id"
            " WHERE t.hash = ? AND t.revoked_at IS NULL AND t.expires_at > ?",
            hashed(access_token),
            self._clock.seconds(),
        )
        application = self._applications.get(row["client_id"]) if row is not None else None
        if row is None or application is None:
            return None
        return Caller(
            application=application,
            source_id=row["source_id"],
            tenant_id=self.tenant_of(row["tenant_id"]),
            scope=row["scope"],
            cell=row["cell"],
        )

    def living(self, tenant_id: str) -> list[Row]:
        """Return the grants of a tenant that can still get or use a token, for the console."""
        return self._store.rows(
            "SELECT g.id, g.client_id, g.source_id, g.scope, g.created_at FROM grants g WHERE g.tenant_id = ?"
            " AND g.source_id IS NOT NULL"
            " AND EXISTS (SELECT 1 FROM refresh_tokens r WHERE r.grant_id = g.id AND r.revoked_at IS NULL) ORDER BY g.id",
            tenant_id,
        )

    def tenant_of(self, tenant_id: str | None) -> str | None:
        """Fall back to the tenant that was made last: the applications of the first start belong to no tenant."""
        if tenant_id is not None:
            return tenant_id
        row = self._store.row("SELECT id FROM tenants ORDER BY rowid DESC LIMIT 1")
        return None if row is None else str(row["id"])

    def _add_grant(self, client_id: str, *, source_id: str | None, tenant_id: str | None, scope: str, cell: str = "") -> int:
        return self._store.insert(
            "grants",
            client_id=client_id,
            source_id=source_id,
            tenant_id=tenant_id,
            scope=scope,
            created_at=self._clock.seconds(),
            cell=cell,
        )

    def _mint(self, grant_id: int, *, client_id: str, source_id: str | None) -> Tokens:
        """Make new tokens. The access token before them dies: one per application and source_id (specification 3.6)."""
        now = self._clock.seconds()
        self.supersede(client_id, source_id=source_id)
        access_token = f"sat_{secrets.token_urlsafe(32)}"
        self._store.insert("access_tokens", hash=hashed(access_token), grant_id=grant_id, expires_at=now + ACCESS_SECONDS)
        if source_id is None:
            return Tokens(access_token, None)
        refresh_token = f"srt_{secrets.token_urlsafe(32)}"
        self._store.insert("refresh_tokens", hash=hashed(refresh_token), grant_id=grant_id)
        return Tokens(access_token, refresh_token)


def hashed(token: str) -> str:
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
