from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from portal.users.forms import ProfileForm
from portal.users.requests import SignedInRequest


@require_http_methods(["GET", "POST"])
def profile(request: SignedInRequest) -> HttpResponse:
    """The person's name and time zone."""
    form = ProfileForm(request.POST or None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Saved.")
        return redirect("profile")
    return render(request, "users/profile.html", {"form": form}, status=422 if form.errors else 200)
