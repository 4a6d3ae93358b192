from django.http import JsonResponse
from django.views.decorators.http import require_GET

from portal.tenants.access import opened_memberships
from portal.users.requests import SignedInRequest


@require_GET
def told_tenants(request: SignedInRequest) -> JsonResponse:
    """A person, and the tenants whose changes their pages are told of, by slug. A stream process asks before it opens one."""
    opened, _ = opened_memberships(request)
    return JsonResponse({"person": request.user.pk, "tenants": {each.tenant.slug: each.tenant_id for each in opened}})
