"""What this site decides differently from allauth."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.internal import ratelimit
from django.http import HttpRequest

from portal.lib.clients import client_address, client_group

AFTER_SIGN_IN = "after_sign_in"
"""In the session: the page to go on with, where a link has led to signing in or signing up."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc] # allauth ships no types
    """Counts failed sign-ins so that those of one person never shut out another (guarantee S14)."""

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        return str(request.session.pop(AFTER_SIGN_IN, "") or super().get_login_redirect_url(request))

    def get_signup_redirect_url(self, request: HttpRequest) -> str:
        return self.get_login_redirect_url(request)

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        # By itself allauth counts for the account alone: anybody could lock anybody out with five wrong passwords.
        return f"{_account(credentials)} {client_group(request)}"

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Refuse an attempt after too many failures of this client, of this client for this account, or for the account."""
        super().pre_authenticate(request, **credentials)
        of_account = ratelimit.consume(request, app="allauth.account", action="login_failed_account", key=_account(credentials))
        if not of_account:
            raise self.validation_error("too_many_login_attempts")
        # A sign-in that works takes back what it has counted.
        self._login_failed_rl_usage.usage += of_account.usage


def _account(credentials: dict[str, Any]) -> str:
    return str(credentials.get("email", "")).lower()
