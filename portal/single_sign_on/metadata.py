"""What a SAML identity provider says of itself (SAML 2.0 Metadata)."""

import base64
import binascii
from dataclasses import dataclass
from typing import Any

import requests
from cryptography.x509 import load_der_x509_certificate
from lxml.etree import XMLSyntaxError
from onelogin.saml2.idp_metadata_parser import OneLogin_Saml2_IdPMetadataParser

from portal.single_sign_on.discovery import NotAProvider
from portal.single_sign_on.http import is_allowed, provider_session

MAX_CERTIFICATES = 10
MAX_ENTITY_ID = 500
MAX_URL = 1000


@dataclass(frozen=True)
class Metadata:
    """What the portal keeps of it."""

    entity_id: str
    sso_url: str
    certificates: list[str]
    logout_url: str
    logout_answer_url: str
    """Both empty where it offers no single logout by redirect."""


def read_metadata(given: str) -> Metadata:
    """Return what metadata say, given as XML or by their address. Raises NotAProvider."""
    text = given.strip()
    try:
        parsed = OneLogin_Saml2_IdPMetadataParser.parse(text if text.startswith("<") else _fetch(text))
    except (XMLSyntaxError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise NotAProvider("This is not the metadata of a SAML identity provider.") from error
    found: dict[str, Any] = parsed.get("idp", {})
    entity_id, sso_url = found.get("entityId", ""), found.get("singleSignOnService", {}).get("url", "")
    certificates = [_clean(each) for each in _certificates(found)][:MAX_CERTIFICATES]
    if not entity_id or len(entity_id) > MAX_ENTITY_ID or not certificates:
        raise NotAProvider("This is not the metadata of a SAML identity provider.")
    if not is_allowed(sso_url) or len(sso_url) > MAX_URL:
        raise NotAProvider("The metadata has no https:// address for the HTTP-Redirect binding.")
    return Metadata(entity_id, sso_url, certificates, *_logout_urls(found))


def _logout_urls(found: dict[str, Any]) -> tuple[str, str]:
    """Return where single logout is asked for and answered; nothing where that is no address for a browser."""
    service = found.get("singleLogoutService", {})
    url = service.get("url", "")
    answer_url = service.get("responseUrl") or url
    is_usable = all(is_allowed(each) and len(each) <= MAX_URL for each in (url, answer_url))
    return (url, answer_url) if is_usable else ("", "")


def _fetch(url: str) -> bytes:
    if not is_allowed(url):
        raise NotAProvider("Enter the https:// address of the metadata, or paste the XML.")
    try:
        with provider_session() as session:
            response = session.get(url)
            response.raise_for_status()
            return response.content
    except requests.RequestException as error:
        raise NotAProvider("The metadata can't be fetched from here. Check the address, or paste the XML.") from error


def _certificates(found: dict[str, Any]) -> list[str]:
    several = found.get("x509certMulti", {}).get("signing", [])
    return [*several, *([found["x509cert"]] if found.get("x509cert") else [])]


def _clean(certificate: str) -> str:
    try:
        content = base64.b64decode("".join(certificate.split()), validate=True)
        load_der_x509_certificate(content)
    except (binascii.Error, ValueError) as error:
        raise NotAProvider("The metadata contains a certificate that can't be read.") from error
    return base64.b64encode(content).decode()
