"""Where a person is in the register of viewers: the address, the piece that was asked for, and its page version."""

from dataclasses import dataclass

from django.urls import reverse

from portal.access_requests.models import Viewer
from portal.page_refresh.services import version_at
from portal.tenants.access import TenantRequest

LIST, PANE, DESK = "viewers", "viewer", "viewer-desk"
"""The pieces; each is called like the element that it fills."""
PIECES = (LIST, PANE, DESK)


@dataclass(frozen=True)
class ViewerPlace:
    """The register, with the viewer who is open beside the list."""

    request: TenantRequest
    found: Viewer | None

    @property
    def piece(self) -> str:
        """What htmx asked for; empty: the whole page."""
        target = self.request.htmx.target or "" if self.request.htmx else ""
        return target if target in PIECES else ""

    @property
    def query(self) -> str:
        """The filters and the page of the list, to be carried along to every other address."""
        query = self.request.GET.urlencode()
        return f"?{query}" if query else ""

    @property
    def list_path(self) -> str:
        return reverse("access_requests:viewers", args=[self.request.tenant.slug])

    @property
    def path(self) -> str:
        if self.found is None:
            return self.list_path
        return reverse("access_requests:viewer", args=[self.request.tenant.slug, self.found.platform_id])

    @property
    def address(self) -> str:
        return self.path + self.query

    def page_version(self, version: str, *, piece: str) -> str:
        """Add place and piece to a version: a link inside a region that polls hands on the region's version."""
        return version_at(version, self.address, piece)
