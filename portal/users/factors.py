"""Second factors: authenticator apps, recovery codes and passkeys, as allauth keeps them, with their secrets sealed (S16)."""

import base64
import binascii
import logging
import secrets
from contextlib import suppress
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db.models import QuerySet

from portal.lib.keys import ring
from portal.lib.sealed import Locked
from portal.users.models import User

logger = logging.getLogger(__name__)

SEALED_FIELDS = ("secret", "seed")
"""In the data of an authenticator: the secret of an app, and what recovery codes are made of."""
PLACE = "mfa_authenticator:data"
"""Not bound to the row: allauth seals before there is one."""
SITE_NAME = "Trust portal"


class FactorAdapter(DefaultMFAAdapter):  # type: ignore[misc] # allauth ships no types
    """What this site decides differently from allauth about second factors."""

    def encrypt(self, text: str) -> str:
        return base64.b64encode(ring().seal(text, place=PLACE)).decode()

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return ring().open(_bytes(encrypted_text), place=PLACE)
        except Locked:
            # A code that nobody can know: a factor whose key is missing is neither skipped nor an error of the page.
            logger.exception("a second factor cannot be opened: its key is missing from FIELD_ENCRYPTION_KEYS")
            return base64.b32encode(secrets.token_bytes(20)).decode()

    def get_totp_issuer(self) -> str:
        return SITE_NAME

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        entity: dict[str, str] = super().get_public_key_credential_rp_entity()
        # Not from the Host header, so that a passkey belongs to this site under its one name.
        host = urlsplit(settings.PUBLIC_URL).hostname
        return {"id": entity["id"] if settings.ON_THIS_MACHINE else str(host), "name": SITE_NAME}

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:  # noqa: A002 - allauth's name
        number = Authenticator.objects.filter(user=user, type=type).count()
        return f"Passkey {number + 1}"


def takes_passkeys(host: str) -> bool:
    """Say whether browsers allow passkeys for a site that is open at this host: only where it is a name, not an address."""
    with suppress(ValueError):
        ip_address(urlsplit(f"//{host}").hostname or "")
        return False
    return True


def factors_of_users() -> QuerySet[Authenticator]:
    """Return what counts as a second factor; recovery codes alone are none."""
    kinds = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
    found: QuerySet[Authenticator] = Authenticator.objects.filter(type__in=kinds)
    return found


def has_second_factor(user: User) -> bool:
    """Say whether somebody has to show more than a password to sign in."""
    return bool(factors_of_users().filter(user=user).exists())


def sealed_value(row: Authenticator, field: str) -> bytes:
    """Return a sealed value of an authenticator; empty where it has none."""
    return _bytes(row.data.get(field, ""))


def replace_value(row: Authenticator, field: str, before: bytes, after: bytes) -> bool:
    """Store another sealed value. Without one the factor is worth nothing, and goes."""
    rows = Authenticator.objects.filter(pk=row.pk, **{f"data__{field}": base64.b64encode(before).decode()})
    if not after:
        return bool(rows.delete()[0])
    data: dict[str, Any] = {**row.data, field: base64.b64encode(after).decode()}
    return bool(rows.update(data=data))


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""
