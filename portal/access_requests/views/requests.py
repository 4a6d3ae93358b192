from django.http import HttpResponse
from django.views.decorators.http import require_GET

from portal.access_requests.views.rendering import find, render_desk
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_GET
@tenant_view(Role.VIEWER)
def access_request_list(request: TenantRequest) -> HttpResponse:
    """All access requests. The list on the page polls this same address while it is open."""
    return render_desk(request)


@require_GET
@tenant_view(Role.VIEWER)
def access_request(request: TenantRequest, platform_id: str) -> HttpResponse:
    """One request in the pane beside the list."""
    return render_desk(request, find(platform_id))
