"""A page with a list and a pane beside it: its address, the fragment that was asked for, and the page version."""

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
    """A list, with the object that is open beside it. A room names its fragments, each like the element that it fills."""

    request: TenantRequest
    found: Shown | None

    fragments: ClassVar[tuple[str, ...]]
    list_name: ClassVar[str]
    detail_name: ClassVar[str]
    """Names of the two addresses."""

    @property
    def fragment(self) -> str:
        """What htmx asked for; empty: the whole page."""
        target = self.request.htmx.target or "" if self.request.htmx else ""
        return target if target in self.fragments else ""

    @property
    def query(self) -> str:
        """The filters and the page of the list, to be carried along to every other address."""
        query = self.request.GET.urlencode()
        return f"?{query}" if query else ""

    @property
    def list_path(self) -> str:
        return reverse(self.list_name, args=[self.request.tenant.slug])

    @property
    def path(self) -> str:
        if self.found is None:
            return self.list_path
        return reverse(self.detail_name, args=[self.request.tenant.slug, self.found.platform_id])

    @property
    def address(self) -> str:
        """Where this page can be asked for again; after a POST that is not the address it was sent to."""
        return self.path + self.query

    def page_version(self, version: str, *, fragment: str) -> str:
        """Add address and fragment to a version: a link inside a region that polls hands on the region's version."""
        return version_at(version, self.address, fragment)
