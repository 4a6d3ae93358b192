"""Who a provider says has signed in: read strictly, because a tenant may run its provider as it likes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from portal.lib.storable import storable_text

MAX_SUBJECT = 191
"""As long as allauth keeps them; OpenID Connect allows 255, and nobody uses that."""
MAX_NAME = 120


XMLSOAP = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims"
SUBJECT_ATTRIBUTES = ("urn:oasis:names:tc:SAML:attribute:subject-id", "urn:oasis:names:tc:SAML:attribute:pairwise-id")
EMAIL_ATTRIBUTES = ("urn:oid:0.9.2342.19200300.100.1.3", f"{XMLSOAP}/emailaddress", "email", "mail", "Email")
NAME_ATTRIBUTES = (
    "urn:oid:2.16.840.1.113730.3.1.241",
    "http://schemas.microsoft.com/identity/claims/displayname",
    "displayName",
)
GIVEN = ("urn:oid:2.5.4.42", f"{XMLSOAP}/givenname", "firstName", "givenName")
FAMILY = ("urn:oid:2.5.4.4", f"{XMLSOAP}/surname", "lastName", "sn")
"""What SAML providers call the parts of a person: by the standard, by Microsoft, and by habit."""


class InvalidClaims(Exception):
    """What the provider sent names nobody; the description is for the person."""

    def __init__(self, description: str) -> None:
        super().__init__(description)
        self.description = description


@dataclass(frozen=True)
class Identity:
    """A person as their provider knows them."""

    subject: str
    email: str
    name: str


def read_claims(id_token: Any, userinfo: Any) -> Identity:
    """Return who the claims name. Raises InvalidClaims.

    Both parts are about the same subject (OpenID Connect Core 5.3.2), and neither says that the address is unverified.
    """
    if not isinstance(id_token, Mapping) or not isinstance(userinfo, Mapping):
        raise InvalidClaims("Your company's sign-in sent an answer that can't be read.")
    subject = id_token.get("sub")
    if not _is_subject(subject) or userinfo.get("sub") != subject:
        raise InvalidClaims("Your company's sign-in sent an answer that can't be read.")
    if any(claims.get("email_verified", True) not in (True, "true") for claims in (id_token, userinfo)):
        raise InvalidClaims("Your company's sign-in says that your email address is not verified there.")
    name = userinfo.get("name") or id_token.get("name")
    return Identity(subject, read_address(userinfo.get("email") or id_token.get("email")), _clean_name(name))


def read_address(value: Any) -> str:
    """Return a mail address in lower case. Raises InvalidClaims.

    ASCII only: the lower case of some other letters is an ASCII one, and two addresses would become the same.
    """
    if not isinstance(value, str) or not value:
        raise InvalidClaims("Your company's sign-in sent no email address. It has to send one.")
    address = value.strip().lower()
    try:
        validate_email(address)
    except ValidationError as error:
        raise InvalidClaims("Your company's sign-in sent an invalid email address.") from error
    if not value.isascii() or address.count("@") != 1 or len(address) > 254:
        raise InvalidClaims("Your company's sign-in sent an email address that can't be used here.")
    return address


def domain_of(address: str) -> str:
    """Return the domain of a mail address, in lower case; empty where there is none."""
    return address.rpartition("@")[2].strip().lower() if address.count("@") == 1 else ""


def read_attributes(name_id: str, attributes: Mapping[str, Sequence[str]], *, name_id_is_address: bool) -> Identity:
    """Return who a SAML assertion names. Raises InvalidClaims."""
    addresses = _values(attributes, EMAIL_ATTRIBUTES) or ([name_id] if name_id_is_address else [])
    if len(set(addresses)) > 1:
        raise InvalidClaims("Your company's sign-in sent more than one email address.")
    [subject] = (_values(attributes, SUBJECT_ATTRIBUTES) or [name_id])[:1]
    if not _is_subject(subject):
        raise InvalidClaims("Your company's sign-in sent an answer that can't be read.")
    names = _values(attributes, NAME_ATTRIBUTES)[:1] or [
        " ".join([*_values(attributes, GIVEN)[:1], *_values(attributes, FAMILY)[:1]])
    ]
    return Identity(subject, read_address(addresses[0] if addresses else ""), _clean_name(names[0]))


def _values(attributes: Mapping[str, Sequence[str]], names: Sequence[str]) -> list[str]:
    return next(([*attributes[name]] for name in names if attributes.get(name)), [])


def _is_subject(value: Any) -> TypeGuard[str]:
    return isinstance(value, str) and 0 < len(value) <= MAX_SUBJECT and value.isascii() and value.isprintable()


def _clean_name(value: Any) -> str:
    return storable_text(" ".join(value.split())[:MAX_NAME]) if isinstance(value, str) else ""
