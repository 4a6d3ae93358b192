"""Creating many tenants at once, for whoever works for many companies."""

from collections import defaultdict

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from portal.lib.counted import counted
from portal.lib.spreadsheets import Unreadable
from portal.members import services
from portal.members.form_actions import mail_link
from portal.members.forms import TenantsForm
from portal.members.models import Invitation
from portal.users.mail_limits import consume_mail_limit
from portal.users.requests import SignedInRequest

MAX_LINES = 64 * 1024
"""Characters that come back from the preview; fifty lines have a tenth."""


@require_http_methods(["GET", "POST"])
def import_tenants(request: SignedInRequest) -> HttpResponse:
    """Ask for the file, and show what would become of each line."""
    form = TenantsForm(request.POST or None, request.FILES or None, owner=request.user)
    if request.method != "POST" or not form.is_valid():
        return render(request, "members/import.html", {"form": form}, status=422 if form.errors else 200)
    good = [plan for plan in form.plans if not plan.problem]
    context = {
        "filename": form.cleaned_data["file"].name,
        "plans": form.plans,
        "good": good,
        "bad": len(form.plans) - len(good),
        "lines": services.lines_of(form.plans),
    }
    return render(request, "members/import_ask.html", context)


@require_POST
def create_tenants(request: SignedInRequest) -> HttpResponse:
    """Create what the preview has shown."""
    try:
        plans = services.plan_tenants(request.POST.get("lines", "")[:MAX_LINES].encode(), owner=request.user)
    except Unreadable as error:
        messages.error(request, str(error))
        return redirect("import_tenants")
    created = invited = 0
    unsent: dict[str, list[str]] = defaultdict(list)
    for plan in plans:
        if plan.problem:
            continue
        try:
            started = services.start_planned(plan, owner=request.user)
        except services.TooManyTenants:
            messages.error(
                request, f"You have reached today's limit for new tenants. {plan.name} and those after it were not created."
            )
            break
        created += 1
        if started.invitation:
            if reason := _mail(request, started.invitation, started.token):
                unsent[reason].append(plan.name)
            else:
                invited += 1
    if created:
        words = f" {counted(invited, 'invitation')} sent." if invited else ""
        messages.success(request, f"{counted(created, 'tenant')} created.{words}")
    elif not plans or all(plan.problem for plan in plans):
        messages.error(request, "Nothing was created: all of these names are taken by now.")
    for reason, names in unsent.items():
        messages.error(request, f"{reason} Not sent yet for {', '.join(names)}. Resend it under Members there.")
    return redirect("portfolio")


def _mail(request: SignedInRequest, invitation: Invitation, token: str) -> str:
    """Mail the link of an invitation; say why where that is not done."""
    email = invitation.email
    if not consume_mail_limit(request, email):
        return f"Too many invitations were sent to {email}, or by you: try again in a few hours."
    return "" if mail_link(invitation, token, by=request.user) else f"The email to {email} could not be sent."
