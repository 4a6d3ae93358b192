"""What this site decides differently from allauth about accounts elsewhere."""

import logging
import time
from typing import Any

import requests
from allauth.account.internal.flows.login import record_authentication
from allauth.account.internal.flows.reauthentication import resume_request
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialLogin
from allauth.socialaccount.providers.base import AuthProcess
from allauth.socialaccount.providers.base.constants import AuthError
from django.conf import settings
from django.http import HttpRequest
from django.shortcuts import redirect

from portal.lib.sealed import Locked
from portal.single_sign_on import services
from portal.single_sign_on.company_sessions import remember
from portal.single_sign_on.http import provider_session
from portal.single_sign_on.models import IdentityProvider
from portal.single_sign_on.openid import Provider, app_of
from portal.single_sign_on.refusals import refusal
from portal.single_sign_on.saml import SamlProvider
from portal.single_sign_on.selectors import provider_by_key

logger = logging.getLogger(__name__)


class SocialAccountAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc] # allauth ships no types
    """Knows the providers of tenants, each by its key, and no others; links nobody but through `admit_identity`."""

    def get_requests_session(self) -> requests.Session:
        return provider_session()

    def list_apps(self, *args: Any, **options: Any) -> list[SocialApp]:
        # Nothing of allauth finds a provider by asking around: each request names the one that it is about.
        return []

    def get_provider(self, request: HttpRequest, provider: str, client_id: str | None = None) -> Provider | SamlProvider:
        found = provider_by_key(provider)
        if found is None:
            raise SocialApp.DoesNotExist
        try:
            return (SamlProvider if found.is_saml else Provider)(request, app=app_of(found))
        except Locked as error:
            logger.exception("the secret of an identity provider cannot be opened: its key is missing")
            raise SocialApp.DoesNotExist from error

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        return False  # accounts are made by `admit_identity`, before allauth asks

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Find or make the account and the member, or refuse in words. allauth signs in whom it finds here."""
        state = sociallogin.state
        if state.get("nonce") != sociallogin.nonce or state.get("process") not in (AuthProcess.LOGIN, AuthProcess.REDIRECT):
            raise ImmediateHttpResponse(refusal(request, "Your company's sign-in answered a different request."))
        if state.get("process") == AuthProcess.REDIRECT:
            _confirm(request, sociallogin)
        account = _admit(request, sociallogin)
        remember(request, sociallogin.session)
        sociallogin.account, sociallogin.user = account, account.user

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: Any,
        error: str = AuthError.UNKNOWN,
        exception: Exception | None = None,
        extra_context: dict[str, Any] | None = None,
    ) -> None:
        # The type alone: what the provider has sent may hold tokens.
        logger.info("a sign-in at an identity provider failed: %s %s", error, type(exception).__name__)
        if error == AuthError.CANCELLED:
            raise ImmediateHttpResponse(refusal(request, "You canceled it, or your company doesn't give you access here."))
        raise ImmediateHttpResponse(refusal(request, "Your company's sign-in didn't answer as it should. Try again."))


def _admit(request: HttpRequest, sociallogin: SocialLogin) -> SocialAccount:
    zone = (sociallogin.state.get("data") or {}).get("timezone", "UTC")
    try:
        return services.admit_identity(_provider_of(sociallogin), sociallogin.identity, timezone_name=zone)
    except services.SignInRefused as refused:
        raise ImmediateHttpResponse(refusal(request, refused.description)) from refused


def _confirm(request: HttpRequest, sociallogin: SocialLogin) -> None:
    """End a walk that was not to sign in but to confirm who is signed in, and go on with what asked for it.

    The provider has to say that the person was asked just now: its own open session is no confirmation.
    """
    asked_at, account = sociallogin.asked_at, sociallogin.account
    try:
        if services.confirm_identity(_provider_of(sociallogin), sociallogin.identity) != request.user:
            raise services.SignInRefused("You confirmed with another account than the one you're signed in with.")
        if not isinstance(asked_at, int | float) or time.time() - asked_at > settings.ACCOUNT_REAUTHENTICATION_TIMEOUT:
            raise services.SignInRefused("Your company's sign-in didn't ask you again. Sign out there first.")
    except services.SignInRefused as refused:
        raise ImmediateHttpResponse(refusal(request, refused.description)) from refused
    extra = {"provider": account.provider, "uid": account.uid, "reauthenticated": True}
    record_authentication(request, request.user, "socialaccount", **extra)
    # allauth goes on with what was asked for where the address names it; ours comes back in the state.
    query = request.GET.copy()
    query["next"] = sociallogin.get_redirect_url(request) or ""
    request.GET = query  # type: ignore[assignment]
    raise ImmediateHttpResponse(resume_request(request) or redirect("portfolio"))


def _provider_of(sociallogin: SocialLogin) -> IdentityProvider:
    provider = provider_by_key(sociallogin.account.provider)
    if provider is None:
        raise services.SignInRefused("Your company's sign-in settings just changed. Try again.")
    return provider
