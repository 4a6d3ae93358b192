"""What every page needs around its own content. Lazy: a fragment of a page that shows no navigation asks for nothing."""

from functools import cached_property
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse

from portal.lib.environment import is_loopback
from portal.tenants.access import MENU_TENANTS, memberships_of_menu
from portal.tenants.models import Membership, Tenant, tell_apart
from portal.ui import navigation as registry

THEMES = ("light", "dark")


class Navigation:
    """The navigation of one request."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request
        self._tenant: Tenant | None = getattr(request, "tenant", None)
        match = request.resolver_match
        self._view_name = match.view_name if match else ""

    @cached_property
    def groups(self) -> list[tuple[str, list[registry.Item]]]:
        if self._tenant is None:
            return []
        membership = getattr(self._request, "membership", None)
        return registry.groups(self._tenant, view_name=self._view_name, membership=membership)

    @property
    def desks(self) -> list[registry.Item]:
        return [item for _, items in self.groups for item in items]

    @cached_property
    def settings(self) -> registry.Item | None:
        return registry.settings_item(self._tenant, view_name=self._view_name) if self._tenant else None

    @cached_property
    def sections(self) -> list[tuple[str, list[registry.Item]]]:
        """The pages of the settings by groups, while one of them is open."""
        membership = getattr(self._request, "membership", None)
        return registry.sections(self._tenant, view_name=self._view_name, membership=membership) if self._tenant else []

    @cached_property
    def status(self) -> registry.Status | None:
        return registry.status(self._tenant) if self._tenant else None

    @cached_property
    def memberships(self) -> list[Membership]:
        """The person's tenants, one more than the menu shows: its presence means that there are more."""
        user = getattr(self._request, "user", None)
        if user is None or not user.is_authenticated:
            return []
        read = getattr(self._request, "menu", None)
        found = memberships_of_menu(user) if read is None else read
        tell_apart(found)
        return found

    @property
    def shown_memberships(self) -> list[Membership]:
        return self.memberships[:MENU_TENANTS]

    @property
    def has_more_memberships(self) -> bool:
        return len(self.memberships) > MENU_TENANTS

    @property
    def help_url(self) -> str:
        """The help of the open desk, of the settings or of the portfolio; nothing on any other page."""
        if self._tenant is None:
            return _address("portfolio_help") if self._view_name.startswith("portfolio") else ""
        open_one = next((item.entry.key for item in self.desks if item.is_current), "")
        if not open_one and self.settings and self.settings.is_current:
            open_one = "settings"
        return _address("help:desk", self._tenant.slug, open_one) if open_one else ""

    @property
    def search_url(self) -> str:
        """The page of the search over all desks, outside of a tenant that over all tenants; the box at the top is the same."""
        if self._tenant:
            return _address("commands:search", self._tenant.slug)
        return _address("search_everywhere") if self.memberships else ""

    @property
    def wider_search_url(self) -> str:
        """The search over all tenants, for those who are in a tenant and have others."""
        return _address("search_everywhere") if self._tenant and len(self.memberships) > 1 else ""

    @cached_property
    def bell(self) -> dict[str, str]:
        """The addresses of the bell: of the tenant for its members, else of all tenants that the person is in."""
        parts = ("bell", "unread", "read_all", "list")
        if self._tenant:
            has_bell = getattr(self._request, "membership", None) is not None
            return {part: _address(f"notifications:{part}", self._tenant.slug) for part in parts} if has_bell else {}
        return {part: _address(f"told:{part}") for part in parts} if self.memberships else {}

    @cached_property
    def unread(self) -> object:
        """The figure on the bell."""
        membership = getattr(self._request, "membership", None)
        return registry.count_of("notifications", self._tenant, membership)[0] if self._tenant else None

    @property
    def links(self) -> dict[str, str]:
        """Addresses outside of a tenant, by URL name; those that do not exist here are left out.

        A page of all tenants is for those who work for several.
        """
        names = ("portfolio", "profile", "create_tenant", "account_logout")
        shown = names if len(self.memberships) > 1 else names[1:]
        return {name: url for name in shown if (url := _address(name))}


def _address(name: str, *args: str) -> str:
    try:
        return reverse(name, args=args)
    except NoReverseMatch:
        return ""


def navigation(request: HttpRequest) -> dict[str, Any]:
    """Context processor: `navigation`, `theme` (light, dark or empty for the system's), `is_sandbox`, `stream_url`."""
    chosen = request.COOKIES.get("theme", "")
    return {
        "navigation": Navigation(request),
        "theme": chosen if chosen in THEMES else "",
        "is_sandbox": is_loopback(settings.PLATFORM_API_URL),
        "stream_url": settings.STREAM_URL,
    }
