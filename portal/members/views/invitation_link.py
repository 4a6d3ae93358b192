"""What the link in an invitation opens. Its token leaves the address bar at once: the session remembers which one it was."""

from allauth.account.internal.flows.login import record_authentication
from allauth.account.signals import user_signed_up
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.members import services
from portal.members.forms import JoinForm
from portal.members.models import Invitation
from portal.tenants.models import Membership, Role
from portal.users.adapter import AFTER_SIGN_IN
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
        if user is None and not services.is_registered(found.email):
            return _join(request, found)
        return _accept(request, found, user) if user and request.method == "POST" else _page(request, found)
    except services.Expired:
        return _expired(request)
    except services.NotValid:  # used, withdrawn or replaced a moment ago
        return _not_valid(request)
    except services.ForSomebodyElse:
        return _for_somebody_else(request, found)


@never_cache
@login_not_required
@require_POST
def decline(request: HttpRequest) -> HttpResponse:
    """Say no to the invitation that was opened in this browser."""
    try:
        user = request.user if isinstance(request.user, User) else None
        declined = services.decline(request.session.pop(OPENED, ""), user=user)
    except services.NotValid:
        return _not_valid(request)
    text = f"You did not join {declined.tenant}. None of your data is kept there."
    return _refusal(request, "Invitation declined", text, status=200)


def _join(request: HttpRequest, found: Invitation) -> HttpResponse:
    """One name and one password make the account and the member: the link has proven the address."""
    form = JoinForm(request.POST or None, email=found.email)
    if request.method != "POST":
        return _page(request, found, form=form)
    if not form.is_valid():
        return _page(request, found, form=form, status=422)
    given = form.cleaned_data
    membership = services.join(
        found.token_digest, name=given["name"], password=given["password"], timezone_name=given["timezone"]
    )
    user_signed_up.send(sender=User, request=request, user=membership.user)
    login(request, membership.user)
    record_authentication(request, membership.user, method="password", email=found.email)
    return _joined(request, membership)


def _joined(request: HttpRequest, membership: Membership) -> HttpResponse:
    request.session.pop(OPENED, None)
    messages.success(request, f"You joined {membership.tenant}.")
    return redirect("today:today", slug=membership.tenant.slug)


def _accept(request: HttpRequest, found: Invitation, user: User) -> HttpResponse:
    return _joined(request, services.accept(found.token_digest, user=user))


def _page(request: HttpRequest, found: Invitation, *, form: JoinForm | None = None, status: int = 200) -> HttpResponse:
    context = {"invitation": found, "role": Role(found.role), "form": form}
    return render(request, "members/invitation.html", context, status=status)


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
