"""What happened with one customer: the moments of all desks, and what was done here."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self
from urllib.parse import urlencode

from portal.accounts.services import ACCOUNT
from portal.accounts.timeline import Customer, Page, Position, TimelineEntry, kinds, timeline_page
from portal.audit.models import Entry
from portal.comments import activity as comments

CHANGES = "changes"
"""The kind of what was done here."""
ICONS = {
    **comments.ICONS,
    "customer.create": ("plus", "good"),
    "customer.change": ("pencil", "info"),
    "customer.delete": ("trash-2", "bad"),
    "customer.merge": ("merge", "info"),
    "customer.take_apart": ("split", "muted"),
    "customer.make_main": ("star", "info"),
}


def changes_of(customer: Customer, until: datetime, number: int) -> Iterator[TimelineEntry]:
    """Tell what people did with a customer here."""
    ids = list(customer.account_ids)
    rows = Entry.objects.filter(target_kind=ACCOUNT, target_id__in=ids, at__lte=until)
    for entry in rows.order_by("-at", "-id")[:number]:
        icon, tone = ICONS.get(entry.action, ("circle-dot", "muted"))
        yield TimelineEntry(
            at=entry.at, title=f"{entry.who}: {entry.summary}", text=_words(entry.details), icon=icon, tone=tone
        )


def _words(details: dict[str, Any]) -> str:
    """Say what a change made of what."""
    before, after = details.get("before"), details.get("after")
    if not isinstance(before, dict) or not isinstance(after, dict):
        return ""
    names = {"name": "Name", "domain": "Email domain"}
    changes = [
        f"{title}: {before.get(key) or 'none'} → {after.get(key) or 'none'}."
        for key, title in names.items()
        if before.get(key) != after.get(key)
    ]
    return " ".join(changes)


@dataclass(frozen=True, kw_only=True)
class TimelineFilters:
    """What the address says: one kind of moments, and where the page begins. An unknown value means the default."""

    kind: str = ""
    since: Position | None = None

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Self:
        kind = query.get("kind", "")
        return cls(kind=kind if kind in kinds() else "", since=_position(query.get("since", "")))

    def tabs(self) -> list[dict[str, Any]]:
        labels = {"": "Everything", **kinds()}
        return [
            {"label": label, "url": f"?kind={kind}" if kind else "?", "is_current": kind == self.kind}
            for kind, label in labels.items()
        ]

    def page_of(self, customer: Customer) -> Page:
        return timeline_page(customer, kind=self.kind, since=self.since)

    def older(self, page: Page) -> str:
        """The query of the next page; empty at the end."""
        if page.older is None:
            return ""
        since = f"{page.older.at.isoformat()}~{page.older.behind}"
        return "?" + urlencode({**({"kind": self.kind} if self.kind else {}), "since": since})

    @property
    def newest(self) -> str:
        return f"?kind={self.kind}" if self.kind else "?"


def _position(text: str) -> Position | None:
    moment, _, behind = text.partition("~")
    try:
        at = datetime.fromisoformat(moment)
    except ValueError:
        return None
    is_sound = at.tzinfo is not None and behind.isascii() and behind.isdecimal() and len(behind) < 5
    return Position(at, int(behind)) if is_sound else None
