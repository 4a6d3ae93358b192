"""Who may open a page of a tenant: the one decorator every such view wears."""

from collections.abc import Callable
from copy import deepcopy
from functools import wraps
from typing import Concatenate

from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from django.db.models import Q
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers

from portal.tenants.models import Membership, Role, Tenant, tell_apart
from portal.tenants.scope import person_scope, tenant_scope
from portal.tenants.signals import opened
from portal.users.dates import as_read_by
from portal.users.factors import has_second_factor
from portal.users.models import User
from portal.users.requests import SignedInRequest
from portal.users.sign_ins import providers_of_session


class TenantRequest(SignedInRequest):
    """A request of a member, inside the tenant's scope."""

    tenant: Tenant
    membership: Membership
    menu: list[Membership]
    """What the menu of tenants shows, where a whole page was asked for."""


READING = ("GET", "HEAD")
MENU_TENANTS = 8
"""More tenants than this do not fit the menu of a phone; the portfolio shows them all."""


type TenantView[**P] = Callable[Concatenate[TenantRequest, P], HttpResponseBase]
type PageView = Callable[..., HttpResponseBase]


def tenant_view[**P](role: Role, *, asks_again: bool = False, always: bool = False) -> Callable[[TenantView[P]], PageView]:
    """Open the tenant named in the address to its members from a role on; the view runs in the tenant's scope.

    Strangers get the same 404 as for a tenant that does not exist. Members whose role is too low are told so (403), and so are
    those without the second factor or the company sign-in that the tenant requires. What `asks_again` is done only by somebody
    who has shown a moment ago who they are: an open session alone does not remove a member. `always`: whatever the tenant
    requires of those who work in it.
    """

    def decorate(view: TenantView[P]) -> PageView:
        @wraps(view)
        def page(request: TenantRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            # A page shows them in its menu; a fragment of one asks again and again, and shows none.
            is_page = request.method == "GET" and not request.htmx
            membership = _membership_of_page(request, slug) if is_page else membership_of(request.user, slug)
            if membership is None:
                raise Http404("no such tenant")
            # It is asked for by whoever records what somebody did.
            membership.user = request.user
            request.tenant, request.membership = membership.tenant, membership
            with tenant_scope(membership.tenant.pk), as_read_by(request.user):
                response: HttpResponseBase | None = None if always else _refusal(request, role)
                if response is None:
                    if asks_again and request.method == "POST":
                        raise_if_reauthentication_required(request, app="portal")
                    if request.method in READING:
                        opened.send(sender=None)
                    response = view(request, *args, **kwargs)
            # One address answers with a page or with a fragment of it; without this, Back shows the bare fragment.
            patch_vary_headers(response, ["HX-Request"])
            patch_cache_control(response, private=True, no_cache=True)
            return response

        page.role, page.asks_again = role, asks_again  # type: ignore[attr-defined]
        return page

    return decorate


def membership_of(user: User, slug: str) -> Membership | None:
    """Return somebody's membership in the tenant of this slug, before there is a scope; None where they are no member."""
    with person_scope(user.pk):
        return Membership.objects.select_related("tenant").filter(tenant__slug=slug).first()


def memberships_of_menu(user: User) -> list[Membership]:
    """Return a person's memberships for the menu of tenants, one more than it shows: that tells that there are more."""
    with person_scope(user.pk):
        return list(Membership.objects.select_related("tenant")[: MENU_TENANTS + 1])


def _membership_of_page(request: TenantRequest, slug: str) -> Membership | None:
    """Return the membership in the tenant of this slug, and read for the menu of tenants in the same query."""
    with person_scope(request.user.pk):
        of_menu = Membership.objects.values("pk")[: MENU_TENANTS + 1]
        wanted = Q(tenant__slug=slug) | Q(pk__in=of_menu)
        memberships = list(Membership.objects.select_related("tenant").filter(wanted))
    request.menu = memberships[: MENU_TENANTS + 1]
    found = next((each for each in memberships if each.tenant.slug == slug), None)
    # A copy: what the menu calls the tenant beside a namesake is not what the page calls it.
    return deepcopy(found)


def is_signed_in_for(request: SignedInRequest, membership: Membership) -> bool:
    """Say whether somebody came in as the tenant wants it: through its identity provider, where it requires that.

    Owners have a way back with password and second factor, but not through the provider of another tenant.
    """
    required, came_through = membership.tenant.required_provider, providers_of_session(request)
    if not required or required in came_through:
        return True
    return membership.role == Role.OWNER and not came_through and has_second_factor(request.user)


def opened_memberships(request: SignedInRequest) -> tuple[list[Membership], list[Membership]]:
    """Return a person's tenants whose pages open to them as they are signed in now, and those whose do not."""
    with person_scope(request.user.pk):
        memberships = list(Membership.objects.select_related("tenant", "user"))
    tell_apart(memberships)
    has_factor = has_second_factor(request.user) if any(each.tenant.requires_second_factor for each in memberships) else False
    opened = [
        each
        for each in memberships
        if is_signed_in_for(request, each) and (has_factor or not each.tenant.requires_second_factor)
    ]
    return opened, [each for each in memberships if each not in opened]


def _refusal(request: TenantRequest, role: Role) -> HttpResponse | None:
    if not is_signed_in_for(request, request.membership):
        return render(request, "tenants/single_sign_on.html", {"is_owner": request.membership.role == Role.OWNER}, status=403)
    if request.tenant.requires_second_factor and not has_second_factor(request.user):
        return render(request, "tenants/second_factor.html", status=403)
    return None if request.membership.may(role) else _role_too_low(request, role)


def _role_too_low(request: TenantRequest, role: Role) -> HttpResponse:
    # Nobody gives a role above their own.
    giver = Role.OWNER if role == Role.OWNER else Role.ADMIN
    given = Role(request.membership.role)
    context = {"needed": role, "role": given, "giver": giver, "title": f"You need the {role.label} role"}
    return render(request, "tenants/role_too_low.html", context, status=403)
