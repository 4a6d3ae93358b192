"""Signing out here, and at the company's provider for whoever wants that too; and being signed out by it."""

import logging
from typing import Any

import requests
from allauth.account.views import LogoutView
from allauth.core import ratelimit
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialApp
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from portal.single_sign_on import selectors, services
from portal.single_sign_on.company_sessions import recall
from portal.single_sign_on.discovery import NotAProvider
from portal.single_sign_on.logout_tokens import InvalidToken, read_logout_token
from portal.single_sign_on.refusals import refusal
from portal.single_sign_on.saml import InvalidRequest
from portal.users.sign_ins import providers_of_session

logger = logging.getLogger(__name__)


class SignOut(LogoutView):  # type: ignore[misc] # allauth ships no types
    """Ends the session. Who came through a provider that can end its own is shown the way there.

    Not led there at once: ending it signs people out of everything else of their company.
    """

    def post(self, request: HttpRequest) -> HttpResponse:
        way = _way_out(request)
        response: HttpResponse = super().post(request)
        return render(request, "single_sign_on/signed_out.html", way) if way else response


def _way_out(request: HttpRequest) -> dict[str, Any] | None:
    """Return where the session's provider ends its own; None where nobody came through one, or it can't be asked."""
    if not request.user.is_authenticated:
        return None
    session = recall(request.session)
    for provider in filter(None, map(selectors.provider_by_key, sorted(providers_of_session(request)))):
        try:
            found = get_adapter(request).get_provider(request, provider.key)
        except SocialApp.DoesNotExist:
            continue
        if url := found.sign_out_url(session if session and session.provider == provider.key else None):
            return {"host": provider.host, "url": url}
    return None


@never_cache
@login_not_required
@require_GET
def saml_logout(request: HttpRequest, slug: str) -> HttpResponse:
    """End the sessions that a SAML provider has ended, and lead the browser back to it.

    The answer to a request of our own arrives here too (SAML 2.0 profiles 4.4).
    """
    provider = selectors.provider_by_slug(slug)
    if provider is None or not provider.is_saml:
        return refusal(request, "No company sign-in is set up here.", status=404)
    if "SAMLResponse" in request.GET:
        # The session here had ended before the provider was asked: nothing hangs on its answer.
        return redirect("account_login")
    if not ratelimit.consume(request, action="company_sign_in"):
        return refusal(request, "Too many attempts. Try again in a minute.", status=429)
    try:
        found = get_adapter(request).get_provider(request, provider.key)
        ended, answer_url = found.read_sign_out(request.META["QUERY_STRING"])
    except (InvalidRequest, SocialApp.DoesNotExist) as error:
        logger.info("a SAML provider's request to sign somebody out was refused: %s", error)
        return refusal(request, "Your company's sign-in sent a request that can't be read.")
    services.sign_out(provider, ended)
    return HttpResponseRedirect(answer_url)


@login_not_required
@require_GET
def saml_metadata(request: HttpRequest, slug: str) -> HttpResponse:
    """Say who the portal is to a tenant's SAML provider."""
    provider = selectors.provider_by_slug(slug)
    if provider is None or not provider.is_saml:
        return refusal(request, "No company sign-in is set up here.", status=404)
    found = get_adapter(request).get_provider(request, provider.key)
    return HttpResponse(found.metadata(), content_type="application/samlmetadata+xml")


# The token is signed, and the provider's server has no session here.
@csrf_exempt
@never_cache
@login_not_required
@require_POST
def sign_out_by_token(request: HttpRequest, slug: str) -> HttpResponse:
    """End the sessions that an OpenID Connect provider has ended (OpenID Connect Back-Channel Logout 1.0)."""
    provider = selectors.provider_by_slug(slug)
    if provider is None or provider.is_saml:
        return JsonResponse({"error": "invalid_request"}, status=404)
    if not ratelimit.consume(request, action="company_sign_out"):
        return JsonResponse({"error": "temporarily_unavailable"}, status=429)
    try:
        ended = read_logout_token(provider, request.POST.get("logout_token", ""))
    except InvalidToken as error:
        logger.info("a logout token was refused: %s", error)
        return JsonResponse({"error": "invalid_request"}, status=400)
    except (NotAProvider, requests.RequestException):
        return JsonResponse({"error": "temporarily_unavailable"}, status=503)
    services.sign_out(provider, ended)
    return HttpResponse()
