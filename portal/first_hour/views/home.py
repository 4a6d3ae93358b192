from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET

from portal.tenants.models import Membership
from portal.tenants.scope import person_scope
from portal.users.requests import SignedInRequest


@require_GET
def home(request: SignedInRequest) -> HttpResponse:
    """Lead a person to where their work is: the portfolio is for those who work for several tenants."""
    with person_scope(request.user.pk):
        slugs = list(Membership.objects.values_list("tenant__slug", flat=True)[:2])
    if not slugs:
        return redirect("create_tenant")
    return redirect("today:today", slug=slugs[0]) if len(slugs) == 1 else redirect("portfolio")
