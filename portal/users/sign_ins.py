"""How somebody came in: what allauth has written into the session."""

from collections.abc import Mapping
from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from django.http import HttpRequest

BY_PROVIDER = "socialaccount"


def providers_of_session(request: HttpRequest) -> set[str]:
    """Return the identity providers that have vouched for who is signed in, in this session."""
    return _providers(get_authentication_records(request, request.user))


def providers_in(session: Mapping[str, Any]) -> set[str]:
    """Return the same from the content of a session that nobody is using now."""
    return _providers(session.get(AUTHENTICATION_METHODS_SESSION_KEY, []))


def _providers(shown: list[dict[str, Any]]) -> set[str]:
    return {str(record.get("provider")) for record in shown if record.get("method") == BY_PROVIDER}
