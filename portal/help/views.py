from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from portal.help.desks import HELP, PORTFOLIO
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.users.requests import SignedInRequest


@require_GET
@tenant_view(Role.VIEWER)
def desk(request: TenantRequest, desk: str) -> HttpResponse:
    """How one desk is worked with, for those who work there."""
    if desk not in HELP:
        raise Http404("no such desk")
    others = [each for each in HELP.values() if each.key != desk]
    return render(request, "help/desk.html", {"help": HELP[desk], "others": others})


@require_GET
def portfolio(request: SignedInRequest) -> HttpResponse:
    """How one works with all of one's tenants at once."""
    return render(request, "help/desk.html", {"help": PORTFOLIO})
