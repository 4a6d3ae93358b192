"""The lists whose filters people can keep: each desk registers its own, from `AppConfig.ready`."""

from dataclasses import dataclass

from django.db.models import Model
from django.http import QueryDict
from django.urls import reverse

from portal.saved_views.found import Find
from portal.tenants.models import Role
from portal.ui.list_filters import ListFilters


@dataclass(frozen=True)
class ListPage:
    """One list of a tenant."""

    key: str
    label: str
    url_name: str
    filters: type[ListFilters]
    area: str
    """Of `page_refresh`: the open list shows a view that a colleague has shared."""
    role: Role = Role.VIEWER
    """Who may open it; nobody else sees its views."""
    find: Find | None = None
    """What of it a search over all desks finds; a list without it keeps to its own search."""
    searched: type[Model] | None = None
    """Where that is looked for: its rows tell at once which of several tenants have the words (`tenants_with`)."""

    def url(self, slug: str, query: str = "") -> str:
        return reverse(self.url_name, args=[slug]) + (f"?{query}" if query else "")

    def normalized(self, query: str) -> str:
        """Return what the list would make of a query, without its `?`: unknown parameters and values are left out."""
        return self.filters.read(QueryDict(query)).query().removeprefix("?")


_pages: dict[str, ListPage] = {}


def register_list(
    key: str,
    *,
    label: str,
    url_name: str,
    filters: type[ListFilters],
    area: str,
    role: Role = Role.VIEWER,
    find: Find | None = None,
    searched: type[Model] | None = None,
) -> None:
    """Make a list known. `label` is what its page is called."""
    _pages[key] = ListPage(key, label, url_name, filters, area, role, find, searched)


def list_page(key: str) -> ListPage | None:
    return _pages.get(key)


def list_pages() -> list[ListPage]:
    return [*_pages.values()]


def registered(key: str) -> ListPage:
    """Return a list that a page of ours names. Raises KeyError for one that no desk has registered."""
    return _pages[key]
