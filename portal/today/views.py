from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from portal.connections.services import connection_of_tenant
from portal.page_refresh.services import is_unchanged, stamp
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.today import selectors
from portal.users.requests import SignedInRequest

AREAS = ("questionnaires", "access_requests", "deletion_requests", "connection", "sync")


@require_GET
@tenant_view(Role.VIEWER)
def today(request: TenantRequest) -> HttpResponse:
    """What is late, due and waiting in one tenant."""
    seen = stamp(*AREAS)
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    connection = connection_of_tenant()
    context = {
        "connection": connection,
        "copies": selectors.copies(connection),
        "figures": selectors.figures(timezone.now()),
        "due_next": selectors.due_next(),
        "waiting_requests": selectors.waiting_requests(),
        "deletions_due": selectors.deletions_due(),
        "stages": selectors.stages(),
        "stamp": seen,
    }
    return render(request, "today/today.html#work" if request.htmx else "today/today.html", context)


@require_GET
def portfolio(request: SignedInRequest) -> HttpResponse:
    """All tenants of a person, the one that needs them most first."""
    return render(request, "today/portfolio.html", {"lines": selectors.portfolio(request.user)})
