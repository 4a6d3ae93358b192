"""Custom fields of a customer as rows of two texts, and back. A value may be a list of texts (platform-api 4.1.7)."""

from collections.abc import Iterable, Sequence
from typing import Any

from portal.accounts.models import Account

BETWEEN = "; "
MAX_FIELDS = 50
"""In the form. The platform documents no limit."""

type Pair = tuple[str, str]


def pairs_of(account: Account) -> list[Pair]:
    """Write them down for people to read and change."""
    return [(str(entry.get("label", "")), _text(entry.get("value"))) for entry in _entries(account)]


def fields_from(pairs: Iterable[Pair], *, account: Account | None = None) -> Sequence[dict[str, Any]]:
    """Make of rows what the platform takes. What was a list of texts stays one; a row that is as it was is left as it was."""
    before = {str(entry.get("label", "")): entry.get("value") for entry in _entries(account)} if account else {}
    return [{"label": label, "value": _value(text, before.get(label))} for label, text in pairs]


def _entries(account: Account) -> Iterable[dict[str, Any]]:
    return (entry for entry in account.custom_fields if isinstance(entry, dict))


def _text(value: Any) -> str:
    return BETWEEN.join(map(str, value)) if isinstance(value, list) else str(value or "")


def _value(text: str, before: Any) -> Any:
    if _text(before) == text and before is not None:
        return before
    if isinstance(before, list):
        return [part.strip() for part in text.split(BETWEEN.strip()) if part.strip()]
    return text
