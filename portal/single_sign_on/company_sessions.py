"""What a session here remembers of the provider's own one: enough to end it there, and to be ended from there."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.http import HttpRequest

KEPT = "company_session"


@dataclass(frozen=True)
class CompanySession:
    """A person's session at their provider, as the provider calls it."""

    provider: str
    """The key of the provider."""
    subject: str
    """`sub` of OpenID Connect, the name ID of SAML."""
    index: str = ""
    """`sid` of OpenID Connect, SessionIndex of SAML; empty where the provider names none."""
    name_id_format: str | None = None
    name_qualifier: str | None = None


@dataclass(frozen=True)
class Ended:
    """What a provider says that it has ended: sessions of a person, or some of them by their indexes."""

    subject: str = ""
    indexes: frozenset[str] = frozenset()

    def covers(self, session: CompanySession) -> bool:
        """Say whether a session is among them. Nothing is, if neither a person nor a session is named."""
        if not self.subject and not self.indexes:
            return False
        return self.subject in ("", session.subject) and (not self.indexes or session.index in self.indexes)


def remember(request: HttpRequest, session: CompanySession) -> None:
    """Keep it in the session that is about to begin."""
    request.session[KEPT] = asdict(session)


def recall(session: Mapping[str, Any]) -> CompanySession | None:
    """Return what the content of a session holds of it; None where nothing does."""
    kept = session.get(KEPT)
    return CompanySession(**kept) if kept else None
