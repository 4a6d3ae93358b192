from django.utils import timezone

from portal.library.services import AREA
from portal.page_refresh.services import stamp, stamp_at
from portal.tenants.access import TenantRequest


def page_stamp(request: TenantRequest) -> str:
    """Return the version of a page of the library: a state changes at midnight, too."""
    return stamp_at(stamp(AREA), request.get_full_path(), timezone.localdate().isoformat())
