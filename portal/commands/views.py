from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from portal.commands import selectors
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.list_filters import clean_text


@require_GET
@tenant_view(Role.VIEWER)
def search(request: TenantRequest) -> HttpResponse:
    """What of all desks has some words: as the page of a search, or as the list under the box at the top."""
    words = clean_text(request.GET.get("q", ""))
    context = {"q": words, "groups": selectors.groups(words, membership=request.membership)}
    return render(request, "commands/_found.html" if request.htmx else "commands/search.html", context)
