"""What the link in an invitation opens. Its token leaves the address bar at once: the session remembers which one it was."""

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from portal.members import services
from portal.members.models import Invitation
from portal.tenants.models import Role
from portal.users.adapter import AFTER_SIGN_IN
from portal.users.forms import SUGGESTED_EMAIL
from portal.users.models import User

OPENED = "invitation"


@never_cache
@login_not_required
@require_GET
def open_invitation(request: HttpRequest, token: str) -> HttpResponse:
    found = services.find_invitation(services.digest_of(token))
    if found is None:
        return _not_valid(request)
    request.session[OPENED] = found.token_digest
    if not request.user.is_authenticated:
        request.session[SUGGESTED_EMAIL] = found.email
        request.session[AFTER_SIGN_IN] = reverse("invitation")
    return redirect("invitation")


@never_cache
@login_not_required
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest) -> HttpResponse:
    """The invitation that was opened in this browser: who is signed in with its address accepts it here."""
    found = services.find_invitation(request.session.get(OPENED, ""))
    if found is None:
        return _not_valid(request)
    user = request.user if isinstance(request.user, User) else None
    try:
        services.check_acceptable(found, user)
        return _accept(request, found, user) if user and request.method == "POST" else _page(request, found)
    except services.Expired:
        return _expired(request)
    except services.NotValid:  # used, withdrawn or replaced a moment ago
        return _not_valid(request)
    except services.ForSomebodyElse:
        return _for_somebody_else(request, found)


def _accept(request: HttpRequest, found: Invitation, user: User) -> HttpResponse:
    membership = services.accept(found.token_digest, user=user)
    del request.session[OPENED]
    messages.success(request, f"You joined {membership.tenant}.")
    return redirect("today:today", slug=membership.tenant.slug)


def _page(request: HttpRequest, found: Invitation) -> HttpResponse:
    return render(request, "members/invitation.html", {"invitation": found, "role": Role(found.role)})


def _not_valid(request: HttpRequest) -> HttpResponse:
    return _refusal(
        request,
        "This invitation is no longer valid",
        "It was accepted, revoked or replaced. Open the link in the latest email, or ask for a new one.",
        status=404,
    )


def _expired(request: HttpRequest) -> HttpResponse:
    return _refusal(request, "This invitation has expired", "Ask the person who invited you for a new one.", status=410)


def _for_somebody_else(request: HttpRequest, found: Invitation) -> HttpResponse:
    return _refusal(
        request,
        "This invitation is for another address",
        f"It was sent to {found.email}, and you are signed in as {request.user.get_username()}. "
        "Sign out, open the link in the email again, and sign in with that address.",
        status=403,
        second_url=reverse("account_logout"),
        second_label="Sign out",
    )


def _refusal(request: HttpRequest, title: str, text: str, *, status: int, **links: str) -> HttpResponse:
    context = {"title": title, "text": text, "icon": "mail-x", "tone": "warn", "action_url": "/", "action_label": "Home"}
    return render(request, "message.html", context | links, status=status)
