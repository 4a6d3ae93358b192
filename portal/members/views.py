import logging

from django.contrib import messages
from django.core.mail import send_mail
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.members import services
from portal.members.forms import InviteForm, RoleForm, TenantForm
from portal.members.models import Invitation
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Membership, Role
from portal.tenants.services import create_tenant
from portal.users.requests import SignedInRequest

logger = logging.getLogger(__name__)


@require_http_methods(["GET", "POST"])
def create(request: SignedInRequest) -> HttpResponse:
    """Create a tenant; whoever does is its first owner."""
    form = TenantForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        tenant = create_tenant(form.cleaned_data["name"], owner=request.user)
        return redirect("connections:connection", slug=tenant.slug)
    return render(request, "members/create.html", {"form": form}, status=422 if form.errors else 200)


@require_GET
@tenant_view(Role.VIEWER)
def members(request: TenantRequest) -> HttpResponse:
    return render(request, "members/list.html", _page(request))


@require_POST
@tenant_view(Role.ADMIN)
def invite(request: TenantRequest) -> HttpResponse:
    form = InviteForm(request.POST, by=request.membership)
    if not form.is_valid():
        return render(request, "members/list.html", _page(request, invite_form=form), status=422)
    email, role = form.cleaned_data["email"].lower(), form.cleaned_data["role"]
    services.invite(request.tenant, email=email, role=role, by=request.membership)
    _tell(request, email=email, role=role)
    messages.success(request, f"{email} is let in as {role.label.lower()}.")
    return redirect("members:list", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.ADMIN)
def change_role(request: TenantRequest, member_id: int) -> HttpResponse:
    membership = get_object_or_404(Membership, tenant=request.tenant, pk=member_id)
    form = RoleForm(request.POST, by=request.membership)
    if not form.is_valid():
        messages.error(request, "This role cannot be given.")
        return redirect("members:list", slug=request.tenant.slug)
    role = form.cleaned_data["role"]
    try:
        services.change_role(membership, role=role, by=request.membership)
    except (services.RoleTooHigh, services.LastOwner) as error:
        messages.error(request, _explain(error))
    else:
        messages.success(request, f"{membership.user} is now {role.label.lower()}.")
    return redirect("members:list", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.ADMIN)
def remove(request: TenantRequest, member_id: int) -> HttpResponse:
    membership = get_object_or_404(Membership, tenant=request.tenant, pk=member_id)
    try:
        services.remove_member(membership, by=request.membership)
    except (services.RoleTooHigh, services.LastOwner) as error:
        messages.error(request, _explain(error))
        return redirect("members:list", slug=request.tenant.slug)
    if membership.user == request.user:
        return redirect("portfolio")
    messages.success(request, f"{membership.user} is no longer a member.")
    return redirect("members:list", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.ADMIN)
def withdraw(request: TenantRequest, invitation_id: int) -> HttpResponse:
    services.withdraw(get_object_or_404(Invitation, pk=invitation_id), by=request.membership)
    messages.success(request, "The invitation is withdrawn.")
    return redirect("members:list", slug=request.tenant.slug)


def _explain(error: services.RoleTooHigh | services.LastOwner) -> str:
    if isinstance(error, services.LastOwner):
        return "A tenant keeps at least one owner. Make somebody else an owner first."
    return "This member's role is above your own."


def _tell(request: TenantRequest, *, email: str, role: Role) -> None:
    url = request.build_absolute_uri(reverse("today:today", args=[request.tenant.slug]))
    text = render_to_string("members/invitation.txt", {"tenant": request.tenant, "by": request.user, "role": role, "url": url})
    try:
        send_mail(f"You are invited to {request.tenant}", text, None, [email])
    except OSError:  # smtplib's errors are OSErrors
        # The invitation stands without the mail: the person joins as soon as they sign in.
        logger.exception("an invitation could not be mailed")


def _page(request: TenantRequest, **extra: object) -> dict[str, object]:
    members = Membership.objects.filter(tenant=request.tenant).select_related("user").order_by("-role", "user__email")
    return {
        "members": members,
        "invitations": Invitation.objects.all(),
        "roles": list(Role),
        "invite_form": InviteForm(by=request.membership),
        "role_form": RoleForm(by=request.membership),
        "may_change": request.membership.may(Role.ADMIN),
        **extra,
    }
