"""Where a SAML provider's answer arrives: posted from its page, hence without the session, which a second step picks up."""

from allauth.core import ratelimit
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.helpers import complete_social_login
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.sessions import LoginSession
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods

from portal.single_sign_on import selectors
from portal.single_sign_on.claims import InvalidClaims
from portal.single_sign_on.refusals import refusal

MAX_RESPONSE = 64_000
"""Characters; an answer of a provider has some thousand, one that names a hundred groups some ten thousand."""
KEPT_SECONDS = 60
"""Anybody may post something that is kept; the browser comes back at once."""
TOO_LONG = "Your company's sign-in sent more than we can read. Ask its administrator to send fewer attributes."
COOKIE = f"{'__Secure-' if settings.SESSION_COOKIE_SECURE else ''}company-sign-in"
STORE = ("saml_response", COOKIE)


# The answer is signed, and names the request of this browser that it is for.
@csrf_exempt
@never_cache
@login_not_required
@require_http_methods(["GET", "POST"])
def saml_response(request: HttpRequest, slug: str) -> HttpResponse:
    """Keep the provider's answer for the moment that the browser takes to come back with its session."""
    provider = selectors.provider_by_slug(slug)
    response = request.POST.get("SAMLResponse", "")
    if provider is None or not provider.is_saml or not response:
        return refusal(request, "No company sign-in is set up here.", status=404)
    if len(response) > MAX_RESPONSE:
        return refusal(request, TOO_LONG, status=413)
    if not ratelimit.consume(request, action="company_sign_in"):
        return refusal(request, "Too many attempts. Try again in a minute.", status=429)
    answer = redirect("saml_finish", slug=slug)
    kept = LoginSession(request, *STORE)
    kept.store.update({"response": response})
    kept.store.set_expiry(KEPT_SECONDS)
    kept.save(answer)
    answer.cookies[COOKIE]["httponly"] = True
    return answer


@never_cache
@login_not_required
@require_GET
def saml_finish(request: HttpRequest, slug: str) -> HttpResponse:
    """Sign in whom the answer names, in the browser that asked for it."""
    provider = selectors.provider_by_slug(slug)
    kept = LoginSession(request, *STORE)
    response = kept.store.get("response", "")
    kept.delete()
    if provider is None or not provider.is_saml or not response:
        return refusal(request, "No company sign-in is in progress here.", status=404)
    try:
        login = get_adapter(request).get_provider(request, provider.key).read_response(request, response)
    except InvalidClaims as error:
        return refusal(request, error.description)
    except (SocialApp.DoesNotExist, PermissionDenied):
        return refusal(request, "This sign-in began in another browser, or too long ago.")
    answer: HttpResponse = complete_social_login(request, login)
    return answer
