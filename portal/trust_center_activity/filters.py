"""What the address of a page says: its period, and what it is narrowed to. An unknown value means the default."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Self
from urllib.parse import urlencode

from django.utils import timezone

from portal.lib.storable import storable_text
from portal.trust_center_activity.models import TYPES, Activity, ActivityQuerySet, Conversation, ConversationQuerySet
from portal.trust_center_activity.naming import domain_named

NOBODY = "-"
"""Stands for anonymous visitors in an address, where nothing means everybody."""
OWN = "own"
PERIODS = {"7": "7 days", "30": "30 days", "90": "90 days", "365": "A year", OWN: "From … to …"}
DEFAULT = "30"
LONGEST = 3660
"""Days of an own period; more would only be a slip of the keyboard."""
MAX_VALUE_LENGTH = 320


def text(value: str) -> str:
    return storable_text(value.strip())[:MAX_VALUE_LENGTH]


@dataclass(frozen=True, kw_only=True)
class ActivityFilters:
    """Which activity a page shows."""

    period: str = DEFAULT
    start: str = ""
    end: str = ""
    domain: str = ""
    subject: str = ""
    event_type: str = ""
    country: str = ""

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Self:
        found = {field.name: text(query.get(field.name, "")) for field in fields(cls)}
        found["period"] = found["period"] if found["period"] in PERIODS else DEFAULT
        found["domain"] = domain_named(found["domain"])
        given = [day for name in ("start", "end") if (day := _day(found[name]))]
        if not given and found["period"] == OWN:
            found["period"] = DEFAULT
        elif given and sorted({day.toordinal() for day in given}) != sorted({*cls(period=found["period"]).days}):
            # Whoever changes a date means these dates, whatever was chosen before.
            found["period"] = OWN
        return cls(**found)

    def query(self, **changes: str) -> str:
        """Write these filters, with some of them changed, as the query of an address; defaults are left out."""
        values = {field.name: getattr(replace(self, **changes), field.name) for field in fields(self)}
        if values["period"] != OWN:
            del values["start"], values["end"]
        if values["period"] == DEFAULT:
            del values["period"]
        query = urlencode({name: value for name, value in values.items() if value})
        return f"?{query}" if query else ""

    @property
    def days(self) -> tuple[int, int]:
        """The first and the last day of the period, by number, both within it."""
        today = timezone.now().astimezone(UTC).date()
        if self.period != OWN:
            return today.toordinal() - int(self.period) + 1, today.toordinal()
        given = [_day(self.start), _day(self.end)]
        first, last = sorted(day or today for day in given)
        return max(first.toordinal(), last.toordinal() - LONGEST + 1), last.toordinal()

    @property
    def bounds(self) -> tuple[datetime, datetime]:
        """The same as moments; the second one is no longer within it."""
        first, last = self.days
        return _midnight(first), _midnight(last) + timedelta(days=1)

    @property
    def narrowed(self) -> dict[str, str]:
        """What the page is narrowed to, beside its period."""
        values = {name: getattr(self, name) for name in ("domain", "subject", "event_type", "country")}
        return {name: "" if value == NOBODY else value for name, value in values.items() if value}

    @property
    def is_narrowed(self) -> bool:
        return bool(self.narrowed)

    def rows(self) -> ActivityQuerySet:
        """The activity itself."""
        start, end = self.bounds
        rows: ActivityQuerySet = Activity.objects.filter(at__gte=start, at__lt=end, **self.narrowed)
        return rows

    @property
    def last_day(self) -> date:
        return date.fromordinal(self.days[1])

    def words(self) -> str:
        first, last = (date.fromordinal(day) for day in self.days)
        return f"{first:%-d %b %Y} – {last:%-d %b %Y}"

    def widened(self) -> str:
        """The same period, and everything in it."""
        return self.query(domain="", subject="", event_type="", country="")

    def tabs(self, path: str, **changes: str) -> list[dict[str, Any]]:
        """The periods as links."""
        return [
            {"label": label, "url": path + self.query(period=key, **changes), "is_current": key == self.period}
            for key, label in PERIODS.items()
            if key != OWN
        ]

    def selects(self, *, subjects: Mapping[str, str], countries: Mapping[str, str]) -> list[dict[str, Any]]:
        given = [
            ("subject", "Looked at", "All content", subjects),
            ("event_type", "What was done", "Anything done", TYPES),
            ("country", "Country", "Any country", countries),
        ]
        return [
            {"name": name, "label": label, "value": getattr(self, name), "options": self._options(name, anything, known)}
            for name, label, anything, known in given
        ]

    def _options(self, name: str, anything: str, known: Mapping[str, str]) -> list[tuple[str, str]]:
        value = getattr(self, name)
        own = [] if not value or value in known else [(value, value)]
        return [("", anything), *known.items(), *own]


@dataclass(frozen=True, kw_only=True)
class ConversationFilters:
    """Which conversations a page shows."""

    q: str = ""
    domain: str = ""

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Self:
        domain = domain_named(text(query.get("domain", "")))
        return cls(q=text(query.get("q", ""))[:200], domain=domain)

    @property
    def is_narrowed(self) -> bool:
        return bool(self.q or self.domain)

    def rows(self) -> ConversationQuerySet:
        rows = Conversation.objects.present().matching(self.q)
        if self.domain:
            rows = rows.filter(domain="" if self.domain == NOBODY else self.domain)
        return rows


def _day(value: str) -> date | None:
    try:
        found = date.fromisoformat(value)
    except ValueError:
        return None
    return found if date(1990, 1, 1) <= found <= date(2200, 1, 1) else None


def _midnight(day: int) -> datetime:
    return datetime.combine(date.fromordinal(day), datetime.min.time(), UTC)
