from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from portal.users.forms import ProfileForm
from portal.users.models import User
from portal.users.requests import SignedInRequest
from portal.users.sessions import SessionsAdapter
from portal.users.signals import renamed


@require_http_methods(["GET", "POST"])
def profile(request: SignedInRequest) -> HttpResponse:
    """The person's name and time zone."""
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
