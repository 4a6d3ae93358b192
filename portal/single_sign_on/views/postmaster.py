"""What the link in a mail to a postmaster opens."""

from allauth.core import ratelimit
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from portal.single_sign_on import services


@never_cache
@login_not_required
@require_http_methods(["GET", "POST"])
def prove_mail_domain(request: HttpRequest, token: str) -> HttpResponse:
    """Ask the postmaster, and believe the answer. A GET proves nothing: mail scanners open links."""
    if not ratelimit.consume(request, action="company_sign_in"):
        return _message(request, "Too many attempts", "Try again in a minute.", status=429)
    domain = services.find_by_link(token)
    if domain is not None and request.method == "GET":
        response = render(request, "single_sign_on/prove.html", {"domain": domain})
        response["Referrer-Policy"] = "no-referrer"
        return response
    try:
        proven = services.prove_by_link(token)
    except services.NoSuchLink:
        text = "It was used, was replaced by a newer one, or has expired. Ask for a new email."
        return _message(request, "This link is no longer valid", text, status=404)
    except services.ProvenElsewhere:
        text = "Another tenant of this portal uses this domain. It has to be removed there first."
        return _message(request, "This domain is taken", text, status=409)
    text = f"People with a {proven} address can now use your company's sign-in. You can close this page."
    return _message(request, f"{proven} is confirmed", text, icon="circle-check-big", tone="good")


def _message(
    request: HttpRequest, title: str, text: str, *, status: int = 200, icon: str = "mail-x", tone: str = "warn"
) -> HttpResponse:
    context = {"title": title, "text": text, "icon": icon, "tone": tone, "action_url": "/", "action_label": "Home"}
    return render(request, "message.html", context, status=status)
