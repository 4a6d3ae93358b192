from django.http import HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import require_GET, require_POST

from portal.commands import selectors
from portal.commands.everywhere import groups_everywhere, is_searchable
from portal.commands.recent import note_opened
from portal.tenants.access import TenantRequest, opened_memberships, tenant_view
from portal.tenants.models import Role
from portal.ui.list_filters import clean_text
from portal.users.dates import as_read_by
from portal.users.requests import SignedInRequest


@require_GET
@tenant_view(Role.VIEWER)
def search(request: TenantRequest) -> HttpResponse:
    """What of all desks has some words: as the page of a search, or as the list under the box at the top."""
    words = clean_text(request.GET.get("q", ""))
    context = {"q": words, "groups": selectors.groups(words, membership=request.membership)}
    return render(request, "commands/_found.html" if request.htmx else "commands/search.html", context)


@require_POST
@tenant_view(Role.VIEWER)
def opened(request: TenantRequest) -> HttpResponse:
    """Note that somebody looks at an object. Its page says so by itself, so that looking alone writes nothing."""
    note_opened(request.POST.get("kind", ""), request.POST.get("id", ""), member=request.membership)
    return HttpResponse(status=204)


@require_GET
def search_everywhere(request: SignedInRequest) -> HttpResponse:
    """The same over all tenants that are open to a person as they are signed in now."""
    words = clean_text(request.GET.get("q", ""))
    memberships, _ = opened_memberships(request)
    with as_read_by(request.user):
        context = {"q": words, "groups": groups_everywhere(words, memberships), "is_short": words and not is_searchable(words)}
        response = render(request, "commands/_found.html" if request.htmx else "commands/search.html", context)
    # One address answers with a page or with a fragment of it.
    patch_vary_headers(response, ["HX-Request"])
    patch_cache_control(response, private=True, no_cache=True)
    return response
