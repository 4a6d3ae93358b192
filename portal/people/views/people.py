from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from portal.lib.keyset import keyset_page
from portal.people import selectors
from portal.people.filters import PersonFilters
from portal.people.kinds import PERSON
from portal.people.models import Group, Person
from portal.people.views.rendering import desk_tabs, show, unchanged
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_GET
@tenant_view(Role.VIEWER)
def person_list(request: TenantRequest) -> HttpResponse:
    """The people of the tenant. The list on the page polls this same address while it is open."""
    if answer := unchanged(request):
        return answer
    filters = PersonFilters.read(request.GET)
    page = keyset_page(filters.rows().defer("payload", "search"), order_by=filters.order_by, cursor=request.GET.get("cursor"))
    names = selectors.group_names(page.rows)
    into = Group.objects.filter(platform_id=filters.into).first() if filters.into else None
    context = {
        "tabs": desk_tabs(request),
        "filters": filters,
        "query": filters.query(),
        "page": page,
        "rows": [(row, names.get(row.pk, [])) for row in page.rows],
        "into": into,
        "choose_title": f"Choose people for “{into}”" if into else "",
    }
    return show(request, "list", PERSON, fragment="list", **context)


@require_GET
@tenant_view(Role.VIEWER)
def person_page(request: TenantRequest, platform_id: str) -> HttpResponse:
    """One person: employment, leave, tasks and groups. Polls this same address while it is open."""
    found = get_object_or_404(Person, platform_id=platform_id)
    if answer := unchanged(request):
        return answer
    context = {
        "person": found,
        "tasks": selectors.tasks_of(found),
        "groups": selectors.groups_of(found),
        "events": selectors.events_of_person(found),
    }
    return show(request, "person", PERSON, fragment="person", **context)
