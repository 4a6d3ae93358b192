"""Who may open a page of a tenant: the one decorator every such view wears."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_cache_control, patch_vary_headers
from django_htmx.middleware import HtmxDetails

from portal.tenants.models import Membership, Role, Tenant
from portal.tenants.scope import tenant_scope
from portal.users.requests import SignedInRequest


class TenantRequest(SignedInRequest):
    """A request of a member, inside the tenant's scope."""

    htmx: HtmxDetails
    tenant: Tenant
    membership: Membership


type TenantView[**P] = Callable[Concatenate[TenantRequest, P], HttpResponseBase]
type PageView = Callable[..., HttpResponseBase]


def tenant_view[**P](role: Role) -> Callable[[TenantView[P]], PageView]:
    """Open the tenant named in the address to its members from a role on; the view runs in the tenant's scope.

    Strangers get the same 404 as for a tenant that does not exist. Members whose role is too low are told so (403).
    """

    def decorate(view: TenantView[P]) -> PageView:
        @wraps(view)
        def page(request: TenantRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            membership = Membership.objects.select_related("tenant").filter(user=request.user, tenant__slug=slug).first()
            if membership is None:
                raise Http404("no such tenant")
            request.tenant, request.membership = membership.tenant, membership
            with tenant_scope(membership.tenant.pk), timezone.override(request.user.zone):
                response = view(request, *args, **kwargs) if membership.may(role) else _role_too_low(request, role)
            # One address answers with a page or with a piece of it; without this, Back shows the bare piece.
            patch_vary_headers(response, ["HX-Request"])
            patch_cache_control(response, private=True, no_cache=True)
            return response

        page.role = role  # type: ignore[attr-defined]
        return page

    return decorate


def _role_too_low(request: TenantRequest, role: Role) -> HttpResponse:
    context = {"needed": role, "title": f"This needs the role {role.label.lower()}"}
    return render(request, "tenants/role_too_low.html", context, status=403)
