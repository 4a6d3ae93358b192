"""What a provider says of itself (OpenID Connect Discovery 1.0)."""

from typing import Any

import requests

from portal.single_sign_on.http import is_allowed, provider_session

WELL_KNOWN = "/.well-known/openid-configuration"
ENDPOINTS = ("authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri")
MAX_ENDPOINT = 1000


class NotAProvider(Exception):
    """There is no OpenID Connect provider at an issuer's address that we may use."""

    def __init__(self, description: str) -> None:
        super().__init__(description)
        self.description = description


def end_session_endpoint(found: dict[str, Any]) -> str:
    """Return where a provider ends its own session; empty where it doesn't say, or names no address for a browser."""
    endpoint = found.get("end_session_endpoint")
    return str(endpoint) if is_allowed(endpoint) and len(str(endpoint)) <= MAX_ENDPOINT else ""


def discover(issuer: str) -> dict[str, Any]:
    """Return the configuration of an issuer, checked. Raises NotAProvider.

    The issuer has to call itself as the address says: otherwise one provider could speak for another.
    """
    if not is_allowed(issuer):
        raise NotAProvider("The issuer has to be an https:// address.")
    try:
        with provider_session() as session:
            response = session.get(issuer.rstrip("/") + WELL_KNOWN)
            response.raise_for_status()
            found = response.json()
    except requests.HTTPError as error:
        raise NotAProvider(f"The issuer answered with status {error.response.status_code}. Check the address.") from error
    except requests.JSONDecodeError as error:
        raise NotAProvider("This address is not an OpenID Connect issuer.") from error
    except (requests.RequestException, ValueError) as error:
        raise NotAProvider("The issuer can't be reached from here. Check the address.") from error
    if not isinstance(found, dict):
        raise NotAProvider("This address is not an OpenID Connect issuer.")
    if found.get("issuer") != issuer:
        raise NotAProvider(f"The issuer's own name is {str(found.get('issuer'))[:200]}. Enter it exactly that way.")
    if missing := [name for name in ENDPOINTS if not is_allowed(found.get(name))]:
        raise NotAProvider(f"The issuer's configuration has no usable {missing[0]}.")
    return found
