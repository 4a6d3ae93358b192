"""The filters of a list, as its address says them. Each list declares one subclass of `ListFilters`.

A field is one parameter of the address: `text` for what somebody types, `choice` for one value of several, `day` for a date.
An unknown value means the default, never an error: addresses are kept, shortened and mistyped.
"""

from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Self
from urllib.parse import urlencode

from django.db.models import Q
from django.utils import timezone

from portal.lib.storable import storable_text

MAX_TEXT_LENGTH = 200


@dataclass(frozen=True)
class Parameter:
    """How one parameter of an address is read, and how the form above the list offers it."""

    clean: Callable[[str], str]
    label: str = ""
    """Of its select; a parameter without a label is in no select."""
    options: Mapping[str, str] | None = None
    narrows: bool = True
    """Whether it hides rows; a tab or an order does not."""
    is_day: bool = False
    """Whether the form offers it as a date."""


def clean_text(value: str, *, max_length: int = MAX_TEXT_LENGTH) -> str:
    """Return what somebody typed as it can be stored and searched for."""
    return storable_text(value.strip())[:max_length]


def text(
    *,
    max_length: int = MAX_TEXT_LENGTH,
    clean: Callable[[str], str] = str,
    label: str = "",
    options: Mapping[str, str] | None = None,
    narrows: bool = True,
) -> Any:
    """Declare a parameter that may have any value. `clean` returns the value to use, or nothing for what means nothing."""

    def cut(value: str) -> str:
        return clean(clean_text(value, max_length=max_length))

    return field(default="", metadata={"parameter": Parameter(cut, label, options, narrows)})


def choice(options: Mapping[str, Any], *, default: str = "", label: str = "", narrows: bool = True) -> Any:
    """Declare a parameter that has one of these values. With a label, the options are the labels of its select."""

    def one_of(value: str) -> str:
        return value if value in options else default

    shown = options if label else None
    return field(default=default, metadata={"parameter": Parameter(one_of, label, shown, narrows)})


def day(label: str) -> Any:
    """Declare a parameter that is a date, written as in 2026-11-23."""

    def one_day(value: str) -> str:
        try:
            return date.fromisoformat(value).isoformat()
        except ValueError:
            return ""

    return field(default="", metadata={"parameter": Parameter(one_day, label, is_day=True)})


def period(column: str, since: str, until: str) -> Q:
    """Return the condition that a moment lies on or between two days of the reader's zone; an empty one is no limit."""
    within = Q()
    if since:
        within &= Q(**{f"{column}__gte": _midnight(date.fromisoformat(since))})
    if until and until < date.max.isoformat():
        within &= Q(**{f"{column}__lt": _midnight(date.fromisoformat(until) + timedelta(days=1))})
    return within


def _midnight(on: date) -> datetime:
    """The first moment of a day in the reader's zone, in UTC: what lies at the ends of the calendar stays within it."""
    local = datetime.combine(on, time.min, tzinfo=timezone.get_current_timezone())
    try:
        return local.astimezone(UTC)
    except OverflowError:
        return datetime.combine(on, time.min, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class ListFilters:
    """Base of the filters of one list. A subclass adds `rows()`, which returns exactly the rows that the filters show.

    What stands in the search box is called `q`.
    """

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Self:
        return cls(**{each.name: _parameter(each).clean(query.get(each.name, "")) for each in fields(cls)})

    @property
    def is_narrowed(self) -> bool:
        """Say whether the filters hide rows that the open tab has."""
        return any(_parameter(each).narrows and getattr(self, each.name) != each.default for each in fields(self))

    def query(self, **changes: str) -> str:
        """Return these filters, with some of them changed, as the query of an address; empty if all have their defaults."""
        changed = replace(self, **changes)
        values = {each.name: getattr(changed, each.name) for each in fields(changed)}
        query = urlencode({each.name: values[each.name] for each in fields(changed) if values[each.name] != each.default})
        return f"?{query}" if query else ""

    def link(self, **changes: str) -> str:
        """Return the same as an address relative to the list, which is never empty."""
        return self.query(**changes) or "?"

    def selects(self) -> list[dict[str, Any]]:
        """Return the selects above the list. One that has nothing to choose from is left out."""
        offered = [(each.name, _parameter(each).label, self._options(each)) for each in fields(self)]
        return [
            {"name": name, "label": label, "value": getattr(self, name), "options": options}
            for name, label, options in offered
            if label and len(options) > 1
        ]

    def dates(self) -> list[dict[str, str]]:
        """Return the dates above the list."""
        offered = [(each.name, _parameter(each)) for each in fields(self)]
        return [
            {"name": name, "label": parameter.label, "value": getattr(self, name)}
            for name, parameter in offered
            if parameter.is_day
        ]

    def hidden(self) -> list[tuple[str, str]]:
        """Return what the form above the list carries along: what is in force and stands in no select and no search box."""
        others = [each for each in fields(self) if each.name != "q" and not _parameter(each).label]
        return [(each.name, getattr(self, each.name)) for each in others if getattr(self, each.name) != each.default]

    def more_options(self, name: str) -> Mapping[str, str]:
        """Return options that depend on the rows or on the chosen value, such as the one customer chosen on its page."""
        return {}

    def tabs(
        self, labels: Mapping[str, str], counts: Mapping[str, object] | None = None, *, name: str = "tab", path: str = ""
    ) -> list[dict[str, Any]]:
        """Return the tabs of the list: each with its label, its address and, where they were counted, its rows."""
        return [
            {
                "key": key,
                "label": label,
                "url": path + self.query(**{name: key}) if path else self.link(**{name: key}),
                "is_current": key == getattr(self, name),
            }
            | ({"count": counts[key]} if counts is not None else {})
            for key, label in labels.items()
        ]

    def _options(self, each: Field[str]) -> list[tuple[str, str]]:
        return [*{**(_parameter(each).options or {}), **self.more_options(each.name)}.items()]


def _parameter(each: Field[Any]) -> Parameter:
    parameter: Parameter = each.metadata["parameter"]
    return parameter
