"""What every page needs around its own content. Lazy: a piece of a page that shows no navigation asks for nothing."""

from functools import cached_property
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse

from portal.lib.environment import is_loopback
from portal.tenants.models import Membership, Tenant
from portal.ui import navigation as registry

THEMES = ("light", "dark")
TENANTS_SHOWN = 8
"""More tenants than this do not fit the menu of a phone; the portfolio shows them all."""


class Navigation:
    """The navigation of one request."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request
        self._tenant: Tenant | None = getattr(request, "tenant", None)
        match = request.resolver_match
        self._current = match.namespace if match else ""

    @cached_property
    def desks(self) -> list[registry.Item]:
        return registry.items(registry.DESKS, tenant=self._tenant, current=self._current) if self._tenant else []

    @cached_property
    def settings(self) -> list[registry.Item]:
        return registry.items(registry.SETTINGS, tenant=self._tenant, current=self._current) if self._tenant else []

    @cached_property
    def status(self) -> registry.Status | None:
        return registry.status(self._tenant) if self._tenant else None

    @cached_property
    def memberships(self) -> list[Membership]:
        """The person's tenants, one more than the menu shows: its presence means that there are more."""
        user = getattr(self._request, "user", None)
        if user is None or not user.is_authenticated:
            return []
        return list(Membership.objects.filter(user=user).select_related("tenant")[: TENANTS_SHOWN + 1])

    @property
    def shown_memberships(self) -> list[Membership]:
        return self.memberships[:TENANTS_SHOWN]

    @property
    def has_more_memberships(self) -> bool:
        return len(self.memberships) > TENANTS_SHOWN

    @cached_property
    def search(self) -> registry.Item | None:
        """The desk that the search field looks through: the open one, else the first that can be searched."""
        searchable = [item for item in self.desks if item.entry.search_label]
        return next((item for item in searchable if item.is_current), searchable[0] if searchable else None)

    @property
    def links(self) -> dict[str, str]:
        """Addresses outside of a tenant, by URL name; those that do not exist here are left out."""
        return {name: url for name in ("portfolio", "profile", "create_tenant", "account_logout") if (url := _address(name))}


def _address(name: str) -> str:
    try:
        return reverse(name)
    except NoReverseMatch:
        return ""


def navigation(request: HttpRequest) -> dict[str, Any]:
    """Context processor: `navigation`, `theme` (light, dark or empty for the system's), `is_sandbox`."""
    chosen = request.COOKIES.get("theme", "")
    return {
        "navigation": Navigation(request),
        "theme": chosen if chosen in THEMES else "",
        "is_sandbox": is_loopback(settings.PLATFORM_API_URL),
    }
