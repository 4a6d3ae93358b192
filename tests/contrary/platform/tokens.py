"""Consent and tokens: the rules of the specification (sections 3.6, 4.4 - 4.6, 5, 7), spelled in another hand."""

import secrets
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from tests.contrary.platform.wire import Answer, Request

HOUR = 3600
GRACE = 3 * HOUR
PIECE = slice(10, 40)
"""What tells a code, a state or a token: an error may cut it short, and its first letters are those of the one before it."""


@dataclass
class Grant:
    """What one source_id was granted, and its tokens."""

    source_id: str
    access: str = ""
    expires_at: float = 0
    refresh: str = ""
    previous: dict[str, float] = field(default_factory=dict)
    """Earlier refresh tokens, and when they were first used."""


@dataclass
class Tokens:
    """All codes and grants of the one organisation."""

    client_id: str
    client_secret: str
    issuer: str
    names_itself: bool = True
    codes: dict[str, tuple[str, str, float]] = field(default_factory=dict)
    grants: dict[str, Grant] = field(default_factory=dict)
    suspended: list[str] = field(default_factory=list)
    minted: int = 0
    issued: list[str] = field(default_factory=list)
    """Every state, code and token that there ever was."""

    def told_in(self, text: str) -> list[str]:
        """Return the beginnings of those that stand in a text."""
        return [each[: PIECE.start] for each in self.issued if each[PIECE] in text]

    def consent(self, request: Request) -> Answer:
        """Send the browser back with a code. A platform without a form for it: whoever comes has agreed."""
        asked = {name: values[-1] for name, values in request.query.items()}
        if asked["client_id"] != self.client_id or asked["response_type"] != "code":
            return Answer(400, b"<html><h1>Unknown application</h1></html>", {"content-type": "text/html"})
        code = "c~" + secrets.token_urlsafe(90)
        self.codes[code] = (asked["source_id"], asked["redirect_uri"], time.time() + 30)
        self.issued += [code, asked["state"]]
        back = {"code": code, "scope": asked["scope"], "session_state": "x/y", "state": asked["state"]}
        if self.names_itself:
            back["iss"] = self.issuer
        glue = "&" if "?" in asked["redirect_uri"] else "?"
        return Answer(303, None, {"location": asked["redirect_uri"] + glue + urlencode(back)})

    def issue(self, request: Request) -> Answer:
        try:
            asked = request.json
        except ValueError:
            return refuse(400, "invalid_request")
        if not self._knows(asked):
            return refuse(401, "invalid_client")
        if asked.get("grant_type") == "authorization_code":
            source_id, redirect_uri, until = self.codes.pop(asked.get("code", ""), ("", "", 0.0))
            if (source_id, redirect_uri) != (asked.get("source_id"), asked.get("redirect_uri")) or until < time.time():
                return refuse(400, "invalid_grant")
            grant = self.grants.setdefault(source_id, Grant(source_id))
        elif asked.get("grant_type") == "refresh_token":
            found = self._refreshed(asked.get("refresh_token", ""))
            if found is None:
                return refuse(400, "invalid_grant")
            grant = found
        else:
            return refuse(400, "unsupported_grant_type")
        return self._mint(grant)

    def suspend(self, request: Request) -> Answer:
        asked = request.json
        if not self._knows(asked):
            return refuse(401, "invalid_client")
        token = asked["token"]
        for grant in self.grants.values():
            if token == grant.access:
                grant.access = ""
            if token == grant.refresh or token in grant.previous:
                grant.refresh, grant.previous = "", {}
        self.suspended.append(token)
        return Answer(200)

    def admits(self, request: Request) -> bool:
        scheme, _, token = request.headers["authorization"].partition(" ")
        return scheme == "Bearer" and any(
            token == each.access and time.time() < each.expires_at for each in self.grants.values()
        )

    def _knows(self, asked: dict[str, Any]) -> bool:
        return (asked.get("client_id"), asked.get("client_secret")) == (self.client_id, self.client_secret)

    def _refreshed(self, token: str) -> Grant | None:
        for grant in self.grants.values():
            if token and token == grant.refresh:
                grant.previous[token] = time.time()
                return grant
            if token in grant.previous and time.time() < grant.previous[token] + GRACE:
                return grant
        return None

    def _mint(self, grant: Grant) -> Answer:
        """Make new tokens: the access token before them dies at once."""
        self.minted += 1
        grant.access = f"a.{self.minted}~" + secrets.token_urlsafe(700)
        grant.refresh = f"r+{self.minted}/" + secrets.token_urlsafe(300) + "=="
        grant.expires_at = time.time() + HOUR
        self.issued += [grant.access, grant.refresh]
        body = {"token_type": "bearer", "refresh_token": grant.refresh, "expires_in": HOUR, "access_token": grant.access}
        return Answer(200, body | {"id_token": None, "refresh_expires_in": 0}, {"cache-control": "no-store"})


def refuse(status: int, code: str) -> Answer:
    return Answer(status, {"error": code, "error_uri": "https://docs.example/errors"})
