"""What this site decides differently from allauth."""

import time
from typing import Any
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.account.internal.flows.login import record_authentication
from allauth.account.internal.flows.reauthentication import get_reauthentication_flows
from allauth.account.internal.stagekit import clear_login
from allauth.core.exceptions import ImmediateHttpResponse, ReauthenticationRequired
from allauth.core.internal import ratelimit
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.crypto import constant_time_compare

from portal.lib.clients import client_address, client_group
from portal.users.known_browsers import read_browser, remember_browser
from portal.users.models import User
from portal.users.sign_ins import providers_of_session

AFTER_SIGN_IN = "after_sign_in"
"""In the session: the page to go on with, where a link has led to signing in or signing up."""
BEGUN_WITH = "signing_in_with"
"""In the session: a hash of the password that somebody had when they began to sign in."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc] # allauth ships no types
    """Counts failed sign-ins so that those of one person never shut out another (guarantee S14)."""

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        return str(request.session.pop(AFTER_SIGN_IN, "") or super().get_login_redirect_url(request))

    def get_signup_redirect_url(self, request: HttpRequest) -> str:
        return self.get_login_redirect_url(request)

    def pre_login(self, request: HttpRequest, user: User, **options: Any) -> HttpResponse | None:
        """Begin a sign-in, which may wait for a second factor or a code, and note the password that it begins with."""
        response: HttpResponse | None = super().pre_login(request, user, **options)
        if response is None:
            request.session[BEGUN_WITH] = user.get_session_auth_hash()
        return response

    def login(self, request: HttpRequest, user: User) -> None:
        """Open the session. A new password ends what waits as well as what is open; by itself allauth lets it go on."""
        if not constant_time_compare(request.session.pop(BEGUN_WITH, ""), user.get_session_auth_hash()):
            clear_login(request)
            messages.info(request, "Your password changed. Sign in again.")
            raise ImmediateHttpResponse(redirect("account_login"))
        super().login(request, user)

    def post_login(self, request: HttpRequest, user: Any, **options: Any) -> Any:
        """Sign somebody in. Who has just chosen a password and proven the address has shown who they are.

        By itself allauth writes that down for a sign-in only: people would be asked again in their first minutes.
        """
        if options["signup"] and user.has_usable_password():
            record_authentication(request, user, method="password", email=user.email)
        response = super().post_login(request, user, **options)
        remember_browser(request, response, user.email)
        return response

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send one mail. Its links lead to PUBLIC_URL, whatever host the request has named."""
        links = {name: _public(value) for name, value in context.items() if name.endswith("_url")}
        reset = settings.PUBLIC_URL + reverse("account_reset_password")
        super().send_mail(template_prefix, email, {"password_reset_url": reset, **context, **links})

    def get_client_ip(self, request: HttpRequest) -> str:
        # A list of sessions needs an address; there is none where the server listens on a socket and no proxy is trusted.
        return client_address(request) or "::"

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Say whether an owner's action asks again who this is: a sign-in of the last minutes has just said so."""
        user = self.request.user
        shown = get_authentication_records(self.request, user)
        is_required = not shown or time.time() - shown[-1]["at"] > settings.ACCOUNT_REAUTHENTICATION_TIMEOUT
        if is_required and user.is_authenticated and not get_reauthentication_flows(user):
            # By itself allauth asks nobody again who has neither a password nor a second factor.
            raise ReauthenticationRequired
        return is_required

    def get_reauthentication_methods(self, user: User) -> list[dict[str, Any]]:
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        if user.is_authenticated and providers_of_session(self.request):
            url = reverse("company_sign_in_confirm")
            methods.append({"id": "company_sign_in", "description": "Use your company's sign-in", "url": url})
        return methods

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        # By itself allauth counts for the account alone: anybody could lock anybody out with five wrong passwords.
        return f"{_account(credentials)} {client_group(request)}"

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Refuse an attempt after too many failures of this client, of this client for this account, or for the account.

        A browser that the account was signed in with before is counted by itself: nobody elsewhere shuts its owner out.
        """
        super().pre_authenticate(request, **credentials)
        account, browser = _account(credentials), read_browser(request)
        if browser and browser.knows(account):
            action, key = "login_failed_known", f"{account} {browser.token}"
        else:
            action, key = "login_failed_account", account
        of_account = ratelimit.consume(request, app="allauth.account", action=action, key=key)
        if not of_account:
            raise self.validation_error("too_many_login_attempts")
        # A sign-in that works takes back what it has counted.
        self._login_failed_rl_usage.usage += of_account.usage


def _public(url: str) -> str:
    return settings.PUBLIC_URL + urlsplit(url).path


def _account(credentials: dict[str, Any]) -> str:
    return str(credentials.get("email", "")).lower()
