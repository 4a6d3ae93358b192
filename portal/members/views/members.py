from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.members import services
from portal.members.form_actions import error_message
from portal.members.forms import InviteForm, RoleForm, TenantForm
from portal.members.models import Invitation
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Membership, Role
from portal.users.requests import SignedInRequest


@require_http_methods(["GET", "POST"])
def create(request: SignedInRequest) -> HttpResponse:
    """Create a tenant; whoever does is its first owner."""
    form = TenantForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            tenant = services.start_tenant(form.cleaned_data["name"], owner=request.user)
        except services.TooManyTenants:
            form.add_error(None, "You have reached today's limit for new tenants. Try again tomorrow.")
        else:
            if services.has_namesake(tenant, owner=request.user):
                messages.warning(request, f"You have another tenant called {tenant}. This one's address ends in {tenant.slug}.")
            return redirect("first_hour:connect", slug=tenant.slug)
    return render(request, "members/create.html", {"form": form}, status=422 if form.errors else 200)


@require_GET
@tenant_view(Role.VIEWER)
def members(request: TenantRequest) -> HttpResponse:
    return render(request, "members/list.html", page_context(request))


@require_POST
@tenant_view(Role.ADMIN, asks_again=True)
def change_role(request: TenantRequest, member_id: int) -> HttpResponse:
    membership = get_object_or_404(Membership, tenant=request.tenant, pk=member_id)
    form = RoleForm(request.POST, by=request.membership)
    if not form.is_valid():
        messages.error(request, "This role cannot be assigned.")
        return redirect("members:list", slug=request.tenant.slug)
    role = form.cleaned_data["role"]
    try:
        services.change_role(membership, role=role, by=request.membership)
    except (services.RoleTooHigh, services.LastOwner) as error:
        messages.error(request, error_message(error))
    else:
        messages.success(request, f"{membership.user} is now {role.label.lower()}.")
    return redirect("members:list", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.ADMIN, asks_again=True)
def remove(request: TenantRequest, member_id: int) -> HttpResponse:
    membership = get_object_or_404(Membership, tenant=request.tenant, pk=member_id)
    try:
        services.remove_member(membership, by=request.membership)
    except (services.RoleTooHigh, services.LastOwner) as error:
        messages.error(request, error_message(error))
        return redirect("members:list", slug=request.tenant.slug)
    if membership.user == request.user:
        return redirect("home")
    messages.success(request, f"{membership.user} is no longer a member.")
    return redirect("members:list", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.VIEWER, always=True)
def leave(request: TenantRequest) -> HttpResponse:
    """End one's own membership: anybody can, also who never met what the tenant requires (guarantee S19)."""
    try:
        services.leave(request.membership)
    except services.LastOwner as error:
        messages.error(request, error_message(error))
        return redirect("members:list", slug=request.tenant.slug)
    messages.success(request, f"You left {request.tenant}.")
    return redirect("home")


def page_context(request: TenantRequest, **extra: object) -> dict[str, object]:
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
