from allauth.account.decorators import reauthentication_required
from allauth.account.views import password_set
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.users.forms import ProfileForm
from portal.users.models import User
from portal.users.requests import SignedInRequest
from portal.users.sessions import SessionsAdapter
from portal.users.signals import renamed

# By itself allauth lets an open session set a first password, and whoever has a password confirms with it who they are.
set_password = reauthentication_required(app="allauth.account")(password_set)


@require_http_methods(["GET", "POST"])
def profile(request: SignedInRequest) -> HttpResponse:
    """The person's name, time zone, and form of dates."""
    form = ProfileForm(request.POST or None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        form.save()
        if "name" in form.changed_data:
            renamed.send(sender=User, request=request, user=request.user)
        messages.success(request, "Saved.")
        return redirect("profile")
    return render(request, "users/profile.html", {"form": form}, status=422 if form.errors else 200)


@require_POST
def end_session(request: SignedInRequest, session_id: int) -> HttpResponse:
    """End one of the person's sessions on another device."""
    session = get_object_or_404(UserSession, pk=session_id, user=request.user)
    SessionsAdapter().end_sessions([session])
    messages.success(request, "Session ended.")
    return redirect("usersessions_list")


@login_not_required
@require_GET
def signed_in(request: HttpRequest) -> HttpResponse:
    """Tell a proxy whether somebody is signed in, before it takes a large body from them (guarantee S20)."""
    return HttpResponse(status=204 if request.user.is_authenticated else 403)
