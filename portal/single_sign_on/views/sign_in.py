"""From an email address to the provider of its company, and back."""

import secrets
from typing import Any

from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.core import ratelimit
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.base import AuthProcess
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from portal.members.services import find_invitation
from portal.members.views.invitation_link import OPENED
from portal.single_sign_on import selectors
from portal.single_sign_on.claims import InvalidClaims
from portal.single_sign_on.discovery import NotAProvider
from portal.single_sign_on.forms import CompanySignInForm
from portal.single_sign_on.models import IdentityProvider
from portal.single_sign_on.openid import OAuth2Adapter
from portal.single_sign_on.refusals import refusal
from portal.users.adapter import AFTER_SIGN_IN
from portal.users.requests import SignedInRequest
from portal.users.sign_ins import providers_of_session

UNAVAILABLE = "Your company's sign-in can't be reached at the moment. Try again in a few minutes."


@never_cache
@login_not_required
@require_http_methods(["GET", "POST"])
def start(request: HttpRequest) -> HttpResponse:
    """Ask for an email address, and lead to the provider of whoever has proven its domain."""
    form = CompanySignInForm(request.POST or None)
    context: dict[str, Any] = {"form": form, "next": _next(request)}
    if request.method != "POST" or not form.is_valid():
        return render(request, "single_sign_on/start.html", context, status=422 if form.errors else 200)
    if not ratelimit.consume(request, action="company_sign_in"):
        return refusal(request, "Too many attempts. Try again in a minute.", status=429)
    email = form.cleaned_data["email"]
    provider = selectors.provider_for_address(email)
    if provider is None:
        form.add_error("email", "No company sign-in is set up for this domain. Sign in with your password or a passkey.")
        return render(request, "single_sign_on/start.html", context, status=422)
    data = {"timezone": form.cleaned_data["timezone"]}
    return _leave(
        request, provider, AuthProcess.LOGIN, next_url=context["next"] or _after(request, provider), data=data, login_hint=email
    )


@never_cache
@require_GET
def confirm(request: SignedInRequest) -> HttpResponse:
    """Have the provider that somebody came through ask them again who they are."""
    providers = filter(None, map(selectors.provider_by_key, sorted(providers_of_session(request))))
    provider = next(providers, None)
    if provider is None:
        return refusal(request, "Sign out, and sign in with your company's sign-in again.")
    return _leave(request, provider, AuthProcess.REDIRECT, next_url=_next(request), prompt="login", max_age="0")


@never_cache
@login_not_required
@require_GET
def callback(request: HttpRequest, slug: str) -> HttpResponse:
    """Where a provider sends the browser back to. The answer leaves this address at once: the code is in it."""
    provider = selectors.provider_by_slug(slug)
    if provider is None or provider.is_saml:
        return refusal(request, "No company sign-in is set up here.", status=404)
    try:
        response: HttpResponse = OAuth2CallbackView.adapter_view(OAuth2Adapter(request, provider.key))(request)
    except SocialApp.DoesNotExist:
        response = refusal(request, UNAVAILABLE, status=503)
    except NotAProvider:
        response = refusal(request, UNAVAILABLE, status=503)
    except InvalidClaims as error:
        response = refusal(request, error.description)
    response["Referrer-Policy"] = "no-referrer"
    return response


def _leave(
    request: HttpRequest,
    provider: IdentityProvider,
    process: str,
    *,
    next_url: str,
    data: dict[str, str] | None = None,
    **asked: Any,
) -> HttpResponse:
    """Show a page that goes on to the provider by itself.

    No redirect: browsers count that as a target of the form, and the policy of the page that has the form names none but us.
    """
    try:
        found = get_adapter(request).get_provider(request, provider.key)
        if not provider.is_saml:
            # SAML has no nonce: its answer names the request that it is for.
            nonce = secrets.token_urlsafe(24)
            asked = {"auth_params": {**asked, "nonce": nonce}, "nonce": nonce}
        leads = found.redirect(request, process, next_url=next_url, data=data, **asked)
    except (SocialApp.DoesNotExist, NotAProvider):
        return refusal(request, UNAVAILABLE, status=503)
    return render(request, "single_sign_on/leave.html", {"url": leads.headers["Location"], "host": provider.host})


def _after(request: HttpRequest, provider: IdentityProvider) -> str:
    """Return the tenant's first page; nothing where somebody came by an invitation of another tenant, which goes first."""
    opened = find_invitation(request.session.get(OPENED, ""))
    if AFTER_SIGN_IN in request.session and opened and opened.tenant_id != provider.tenant_id:
        return ""
    return reverse("today:today", args=[provider.tenant.slug])


def _next(request: HttpRequest) -> str:
    """Return where to go on afterwards, if it is a page of ours."""
    given = request.POST.get("next") or request.GET.get("next", "")
    return given if given and get_account_adapter(request).is_safe_url(given) else ""
