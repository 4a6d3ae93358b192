"""Passwords that are known from breaches, asked of a service that the operator names; without one nothing is asked."""

import hashlib
import logging
from typing import Any
from urllib.parse import urlsplit

import requests
from django.conf import settings
from django.core.exceptions import ValidationError

from portal.lib.outside_http import OutsideSession

logger = logging.getLogger(__name__)

PREFIX = 5
"""So many of the 40 letters of a password's hash leave the portal: hundreds of listed passwords begin alike."""


class BreachedPasswordValidator:
    """Refuses passwords that the service lists. One that does not answer keeps nobody from setting a password."""

    def validate(self, password: str, user: Any = None) -> None:
        if settings.BREACHED_PASSWORDS_URL and _is_listed(password, settings.BREACHED_PASSWORDS_URL):
            raise ValidationError(self.get_help_text(), code="password_breached")

    def get_help_text(self) -> str:
        return "Choose a password that has not appeared in a data breach."


def _is_listed(password: str, url: str) -> bool:
    """Ask for all hashes that begin as this password's does: `<the other 35 letters>:<how often>`, one a line."""
    digest = hashlib.sha1(password.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest().upper()
    try:
        # The operator's word, wherever it leads; nobody else chooses this address (guarantee S4).
        with OutsideSession([urlsplit(url).hostname or ""]) as session:
            # Padded with lines that count nothing: the length of an encrypted answer tells no prefix.
            response = session.get(f"{url}/{digest[:PREFIX]}", headers={"Add-Padding": "true"})
            response.raise_for_status()
    except requests.RequestException as error:
        # Not its words: they name what was asked.
        logger.warning("the list of breached passwords did not answer, a password was not looked up: %s", type(error).__name__)
        return False
    found = dict(line.strip().upper().partition(":")[::2] for line in response.text.splitlines())
    return found.get(digest[PREFIX:], "0").strip() not in ("", "0")
