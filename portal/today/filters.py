from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from portal.tenants.models import Tenant
from portal.today.work import LABELS, desk_options
from portal.ui.list_filters import ListFilters, choice, text
from portal.work_items.selectors import OTHERS, OVERDUE, TODAY


@dataclass(frozen=True, kw_only=True)
class WorkFilters(ListFilters):
    """Whose work Today shows, and which of it."""

    whose: str = choice({"": "Mine", "team": "Team"}, narrows=False)
    tab: str = choice({"": "All", **LABELS}, narrows=False)
    desk: str = choice(desk_options(), label="Desk")

    @property
    def is_team(self) -> bool:
        return self.whose == "team"


PORTFOLIO_TABS = {"": "Worst first", **{name: LABELS[name] for name in (OVERDUE, TODAY, OTHERS)}}


@dataclass(frozen=True, kw_only=True)
class PortfolioFilters(ListFilters):
    """Which work of all tenants the portfolio shows."""

    q: str = text()
    whose: str = choice({"": "All work", "mine": "My work"}, label="Whose work", narrows=False)
    tab: str = choice(PORTFOLIO_TABS, narrows=False)
    tenant: str = text(max_length=60, label="Tenant")
    desk: str = choice(desk_options(), label="Desk")

    @property
    def is_mine(self) -> bool:
        return self.whose == "mine"

    def selects_among(self, tenants: Iterable[Tenant]) -> list[dict[str, Any]]:
        """Return the selects above the queue, and before them that of the tenants."""
        options = [("", "All tenants"), *((tenant.slug, str(tenant)) for tenant in tenants)]
        return [{"name": "tenant", "label": "Tenant", "value": self.tenant, "options": options}, *self.selects()]
