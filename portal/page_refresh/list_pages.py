"""Where a person is on a page with a list and a pane beside it: the address, the piece asked for, the page version."""

from dataclasses import dataclass
from typing import ClassVar, Protocol

from django.urls import reverse

from portal.page_refresh.services import version_at
from portal.tenants.access import TenantRequest


class Shown(Protocol):
    """What a pane shows."""

    platform_id: str


@dataclass(frozen=True)
class ListDetailPage:
    """A list, with the object that is open beside it. A room names its pieces, each like the element that it fills."""

    request: TenantRequest
    found: Shown | None

    pieces: ClassVar[tuple[str, ...]]
    list_name: ClassVar[str]
    detail_name: ClassVar[str]
    """Names of the two addresses."""

    @property
    def piece(self) -> str:
        """What htmx asked for; empty: the whole page."""
        target = self.request.htmx.target or "" if self.request.htmx else ""
        return target if target in self.pieces else ""

    @property
    def query(self) -> str:
        """The filters and the page of the list, to be carried along to every other address."""
        query = self.request.GET.urlencode()
        return f"?{query}" if query else ""

    @property
    def path(self) -> str:
        slug = self.request.tenant.slug
        if self.found is None:
            return reverse(self.list_name, args=[slug])
        return reverse(self.detail_name, args=[slug, self.found.platform_id])

    @property
    def address(self) -> str:
        """Where this page can be asked for again; after a POST that is not the address it was sent to."""
        return self.path + self.query

    def page_version(self, version: str, *, piece: str) -> str:
        """Add place and piece to a version: a link inside a region that polls hands on the region's version."""
        return version_at(version, self.address, piece)
