import logging

from django.conf import settings
from django.contrib import messages
from django.core.mail import send_mail
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_POST

from portal.members import services
from portal.members.forms import InviteForm
from portal.members.models import Invitation
from portal.members.views.members import error_message, page_context
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

logger = logging.getLogger(__name__)


@require_POST
@tenant_view(Role.ADMIN)
def invite(request: TenantRequest) -> HttpResponse:
    form = InviteForm(request.POST, by=request.membership)
    if not form.is_valid():
        return render(request, "members/list.html", page_context(request, invite_form=form), status=422)
    email, role = form.cleaned_data["email"], form.cleaned_data["role"]
    try:
        invitation, token = services.invite(request.tenant, email=email, role=role, by=request.membership)
    except (services.AlreadyMember, services.RoleTooHigh) as error:
        messages.error(request, error_message(error))
    else:
        _mail(request, invitation, token)
    return redirect("members:list", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.ADMIN)
def resend(request: TenantRequest, invitation_id: int) -> HttpResponse:
    invitation = get_object_or_404(Invitation, pk=invitation_id)
    try:
        token = services.resend(invitation, by=request.membership)
    except (services.TooSoon, services.RoleTooHigh) as error:
        messages.error(request, error_message(error))
    else:
        invitation.refresh_from_db()
        _mail(request, invitation, token)
    return redirect("members:list", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.ADMIN)
def withdraw(request: TenantRequest, invitation_id: int) -> HttpResponse:
    invitation = get_object_or_404(Invitation, pk=invitation_id)
    try:
        services.withdraw(invitation, by=request.membership)
    except services.RoleTooHigh as error:
        messages.error(request, error_message(error))
    else:
        messages.success(request, f"Invitation to {invitation.email} revoked.")
    return redirect("members:list", slug=request.tenant.slug)


def _mail(request: TenantRequest, invitation: Invitation, token: str) -> None:
    url = settings.PUBLIC_URL + reverse("open_invitation", args=[token])
    context = {
        "tenant": request.tenant,
        "by": request.user,
        "role": Role(invitation.role),
        "url": url,
        "invitation": invitation,
    }
    subject = " ".join(f"You're invited to {request.tenant}".split())
    try:
        send_mail(subject, render_to_string("members/invitation.txt", context), None, [invitation.email])
    except OSError:  # smtplib's errors are OSErrors
        logger.exception("an invitation could not be mailed")
        messages.error(request, f"The email to {invitation.email} could not be sent. Resend the invitation in a minute.")
    else:
        messages.success(request, f"Invitation sent to {invitation.email}.")
