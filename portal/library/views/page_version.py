from django.utils import timezone

from portal.library.services import AREA
from portal.page_refresh.services import area_version, version_at
from portal.tenants.access import TenantRequest


def page_version(request: TenantRequest) -> str:
    """Return the version of a page of the library: a state changes at midnight, too."""
    return version_at(area_version(AREA), request.get_full_path(), timezone.localdate().isoformat())
