"""What the address of a list says: its tab, search and filters. An unknown value means the default, never an error."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Self
from urllib.parse import urlencode

from django.db.models import Count, Q

from portal.access_requests.models import LEVELS, AccessRequest, AccessRequestQuerySet, Outcome
from portal.accounts.merged_accounts import ids_of_customer
from portal.accounts.selectors import account_names, own_domains
from portal.lib.storable import storable_text

ALL, PENDING, SENDING, ELSEWHERE = "all", "pending", "sending", "elsewhere"
MAX_SEARCH_LENGTH = 200
OUTCOMES = {"approved": Outcome.APPROVED, "denied": Outcome.DENIED}
WAITING_LONGEST, NEWEST = ("created_at", "id"), ("-updated_at", "-id")
GROUPS = {"": "Not grouped", "person": "By person", "domain": "By domain"}
GROUPED = {"person": ("folded_email", "id"), "domain": ("domain", "id")}


def text(value: str) -> str:
    return storable_text(value.strip())[:MAX_SEARCH_LENGTH]


@dataclass(frozen=True, kw_only=True)
class ListFilters:
    """The part that both lists of the desk have."""

    tab: str = ""
    q: str = ""

    default_tab: ClassVar[str] = ""
    labels: ClassVar[Mapping[str, str]] = {}

    def query(self, **changes: str) -> str:
        """Write these filters, with some of them changed, as the query of an address; defaults are left out."""
        changed = replace(self, **changes)
        values = {field.name: getattr(changed, field.name) for field in fields(self)}
        if values["tab"] == self.default_tab:
            del values["tab"]
        query = urlencode({name: value for name, value in values.items() if value})
        return f"?{query}" if query else ""

    def tabs(self, counts: Mapping[str, int], *, path: str) -> list[dict[str, Any]]:
        """The tabs with their counts, each as a link to the list at a path."""
        return [
            {"label": label, "count": counts[key], "url": path + self.query(tab=key), "is_current": key == self.tab}
            for key, label in self.labels.items()
        ]

    def tabs_of_checked(self, counts: Mapping[str, tuple[int, int]], *, path: str) -> list[dict[str, Any]]:
        """The tabs where each counts what it finds and whom it could not look at: finding nobody is then no count (R3)."""
        tabs = self.tabs({key: found for key, (found, _) in counts.items()}, path=path)
        return [_checked(tab, unchecked) for tab, (_, unchecked) in zip(tabs, counts.values(), strict=True)]


def _checked(tab: dict[str, Any], unchecked: int) -> dict[str, Any]:
    found = tab["count"]
    shown = found if found or not unchecked else None
    remark = "" if not unchecked else "not checked" if shown is None else f"{unchecked} not checked"
    return tab | {"found": found, "unchecked": unchecked, "count": shown, "remark": remark}


@dataclass(frozen=True, kw_only=True)
class RequestFilters(ListFilters):
    """Which access requests a page shows."""

    level: str = ""
    group: str = ""
    account: str = ""
    """The requests of one customer, chosen on its page."""

    default_tab: ClassVar[str] = PENDING
    labels: ClassVar[Mapping[str, str]] = {
        PENDING: "Pending",
        SENDING: "Sending",
        "approved": "Approved",
        "denied": "Denied",
        ELSEWHERE: "Decided elsewhere",
        ALL: "All",
    }

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Self:
        tab, level, group = query.get("tab", ""), query.get("level", ""), query.get("group", "")
        return cls(
            tab=tab if tab in cls.labels else PENDING,
            q=text(query.get("q", "")),
            level=level if level in LEVELS else "",
            group=group if group in GROUPED else "",
            account=text(query.get("account", "")),
        )

    @property
    def order_by(self) -> tuple[str, str]:
        """Who has waited longest comes first; what is decided is sorted by its latest change."""
        if self.group:
            return GROUPED[self.group]
        return WAITING_LONGEST if self.tab == PENDING else NEWEST

    @property
    def is_narrowed(self) -> bool:
        return bool(self.q or self.level or self.account)

    def narrow(self, rows: AccessRequestQuerySet) -> AccessRequestQuerySet:
        """Apply everything but the tab: the tabs count what the other filters leave."""
        rows = rows.matching(self.q)
        if self.account:
            rows = rows.filter(domain__in=own_domains(ids_of_customer(self.account)))
        return rows.filter(access_level=self.level) if self.level else rows

    def in_tab(self, rows: AccessRequestQuerySet) -> AccessRequestQuerySet:
        match self.tab:
            case "all":
                return rows
            case "pending":
                return rows.waiting()
            case "sending":
                return rows.being_sent()
            case "elsewhere":
                return rows.decided_elsewhere()
        return rows.filter(outcome=OUTCOMES[self.tab])

    def rows(self) -> AccessRequestQuerySet:
        return self.in_tab(self.narrow(AccessRequest.objects.present()))

    def next_after(self, found: AccessRequest) -> AccessRequest | None:
        """Return the undecided request that follows this one among those that wait, or else the one that has waited longest."""
        rows = self.narrow(AccessRequest.objects.waiting()).exclude(pk=found.pk).order_by(*WAITING_LONGEST)
        later = Q(created_at__gt=found.created_at) | Q(created_at=found.created_at, id__gt=found.pk)
        return rows.filter(later).first() or rows.first()

    def counted_tabs(self, *, path: str) -> list[dict[str, Any]]:
        rows = self.narrow(AccessRequest.objects.present())
        numbers = rows.aggregate(
            all=Count("id"), **{key: Count("id", filter=Q(outcome=outcome)) for key, outcome in OUTCOMES.items()}
        )
        others = {PENDING: rows.waiting(), SENDING: rows.being_sent(), ELSEWHERE: rows.decided_elsewhere()}
        return self.tabs(numbers | {key: found.count() for key, found in others.items()}, path=path)

    def selects(self) -> list[dict[str, Any]]:
        options = [("", "Any level"), *LEVELS.items()]
        return [
            *self._chosen_account(),
            {"name": "level", "label": "Level", "value": self.level, "options": options},
            {"name": "group", "label": "Grouping", "value": self.group, "options": list(GROUPS.items())},
        ]

    def _chosen_account(self) -> list[dict[str, Any]]:
        """One customer, chosen on its page; no list offers thousands of them."""
        if not self.account:
            return []
        name = account_names([self.account]).get(self.account, "A customer that is not known here")
        options = [("", "Any customer"), (self.account, name)]
        return [{"name": "account", "label": "Customer", "value": self.account, "options": options}]
