"""What an audit entry says it changed, in words: its details hold what was before and after, and facts beside them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_datetime

from portal.audit.models import Entry

NOTHING = "none"
BEFORE, AFTER, PARTS = "before", "after", "parts"
"""Keys of the details. An answer has several parts, each with its own before and after."""
MAX_SHOWN = 500
"""Of one value: an answer may be pages long, and stands on its own page."""


@dataclass(frozen=True)
class Change:
    """One thing that was changed. Without a label it is the object itself."""

    label: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.label}: {self.before} → {self.after}" if self.label else f"{self.before} → {self.after}"


def changes_of(entry: Entry) -> list[Change]:
    """Return what was changed, as far as the entry holds it."""
    if isinstance(parts := entry.details.get(PARTS), list):
        return [change for part in parts for change in _of_pair(part)]
    return _of_pair(entry.details)


def facts_of(entry: Entry) -> list[tuple[str, str]]:
    """Return what else the entry holds."""
    shown = (BEFORE, AFTER, PARTS) if changes_of(entry) else ()
    return [(name_of(key), _words(value)) for key, value in entry.details.items() if key not in shown]


def name_of(key: str) -> str:
    """Turn the name of a column or of a kind into words."""
    words = key.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _of_pair(details: Any) -> list[Change]:
    if not isinstance(details, dict) or BEFORE not in details or AFTER not in details:
        return []
    before, after = details[BEFORE], details[AFTER]
    if isinstance(before, dict) or isinstance(after, dict):
        return list(_of_facts(_as_facts(before), _as_facts(after)))
    return [Change("", _words(before), _words(after))] if before != after else []


def _of_facts(before: dict[str, Any], after: dict[str, Any]) -> Iterator[Change]:
    for key in {**before, **after}:
        if before.get(key) != after.get(key):
            yield Change(name_of(key), _words(before.get(key)), _words(after.get(key)))


def _as_facts(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value in ("", [], {}):
        return NOTHING
    if isinstance(value, dict):
        return "; ".join(f"{name_of(str(key))}: {_words(each)}" for key, each in value.items())[:MAX_SHOWN]
    if isinstance(value, list):
        return ", ".join(_words(each) for each in value)[:MAX_SHOWN]
    return _moment(value) if isinstance(value, str) else str(value)


def _moment(value: str) -> str:
    """Write a moment in the reader's zone; any other text as it is."""
    try:
        at = parse_datetime(value) if "T" in value else None
    except ValueError:
        at = None
    return f"{timezone.localtime(at):%Y-%m-%d %H:%M %Z}" if at and at.tzinfo else value[:MAX_SHOWN]
