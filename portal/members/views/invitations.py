from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from portal.members import services
from portal.members.form_actions import TOO_MANY, error_message, mail_invitation, send_invitation
from portal.members.forms import InviteForm
from portal.members.models import Invitation
from portal.members.views.members import page_context
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.users.mail_limits import consume_mail_limit


@require_POST
@tenant_view(Role.ADMIN, asks_again=True)
def invite(request: TenantRequest) -> HttpResponse:
    form = InviteForm(request.POST, by=request.membership)
    if not form.is_valid():
        return render(request, "members/list.html", page_context(request, invite_form=form), status=422)
    send_invitation(request, form)
    return redirect("members:list", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.ADMIN, asks_again=True)
def resend(request: TenantRequest, invitation_id: int) -> HttpResponse:
    invitation = get_object_or_404(Invitation, pk=invitation_id)
    if not consume_mail_limit(request, invitation.email):
        messages.error(request, TOO_MANY)
        return redirect("members:list", slug=request.tenant.slug)
    try:
        token = services.resend(invitation, by=request.membership)
    except (services.TooSoon, services.RoleTooHigh) as error:
        messages.error(request, error_message(error))
    else:
        invitation.refresh_from_db()
        mail_invitation(request, invitation, token)
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
