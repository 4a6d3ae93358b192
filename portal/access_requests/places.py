"""Where a person is at the desk: the address of the page, the piece of it that was asked for, and its version stamp."""

from dataclasses import dataclass

from django.urls import reverse

from portal.access_requests.models import AccessRequest
from portal.live.services import stamp_at
from portal.tenants.access import TenantRequest

LIST, PANE, DESK, VIEWERS = "access-requests", "access-request", "access-desk", "viewers"
"""The pieces; each is called like the element that it fills."""
PIECES = (LIST, PANE, DESK)


@dataclass(frozen=True)
class Place:
    """One page of the desk, with the request that is open beside the list."""

    request: TenantRequest
    found: AccessRequest | None

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
    def path(self) -> str:
        slug = self.request.tenant.slug
        if self.request.resolver_match and self.request.resolver_match.url_name == "viewers":
            return self.request.path
        if self.found is None:
            return reverse("access_requests:list", args=[slug])
        return reverse("access_requests:detail", args=[slug, self.found.platform_id])

    @property
    def address(self) -> str:
        """Where this page can be asked for again; after a POST that is not the address it was sent to."""
        return self.path + self.query

    def stamp(self, version: str, *, piece: str) -> str:
        """Add place and piece to a version: a link inside a region that polls hands on the region's stamp."""
        return stamp_at(version, self.address, piece)
