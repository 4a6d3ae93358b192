"""Custom fields of a customer as rows of two texts, and back. A value may be a list of texts (platform-api 4.1.7)."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from portal.accounts.models import Account
from portal.ui.pairs import Pair, as_typed

BETWEEN = "; "
MAX_FIELDS = 50
"""In the form. The platform documents no limit."""


def pairs_of(account: Account) -> list[Pair]:
    """Write them down for people to read and change."""
    return [_pair(entry) for entry in _entries(account)]


def fields_from(pairs: Iterable[Pair], *, account: Account | None = None) -> Sequence[dict[str, Any]]:
    """Make of rows what the platform takes. What was a list of texts stays one; a row that is as it was is left as it was."""
    wanted, left = list(pairs), _entries(account) if account else []
    # Two fields may have one label: the rows that are as they were first, so that no other takes the place of one of them.
    held = [_take(left, [entry for entry in left if as_typed(_pair(entry)) == pair]) for pair in wanted]
    return [
        {"label": entry.get("label"), "value": entry.get("value")} if entry else _changed(pair, left)
        for pair, entry in zip(wanted, held, strict=True)
    ]


def comparable(fields: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return what fields say, to be compared: the platform may have them in another order, and say more of each."""
    return sorted(map(_said, fields))


def _entries(account: Account) -> list[dict[str, Any]]:
    return [entry for entry in account.custom_fields if isinstance(entry, dict)]


def _pair(entry: Mapping[str, Any]) -> Pair:
    return _text(entry.get("label")), _text(entry.get("value"))


def _text(value: Any) -> str:
    if isinstance(value, list):
        return BETWEEN.join(map(_text, value))
    return "" if value is None else str(value)


def _take(left: list[dict[str, Any]], fitting: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Take the first entry that fits out of those that are left."""
    if not fitting:
        return None
    left.remove(fitting[0])
    return fitting[0]


def _changed(pair: Pair, left: list[dict[str, Any]]) -> dict[str, Any]:
    label, text = pair
    before = _take(left, [entry for entry in left if as_typed(_pair(entry))[0] == label])
    if before and isinstance(before.get("value"), list):
        return {"label": label, "value": [part.strip() for part in text.split(BETWEEN.strip()) if part.strip()]}
    return {"label": label, "value": text}


def _said(entry: Mapping[str, Any]) -> str:
    return json.dumps([entry.get("label"), entry.get("value")], sort_keys=True)
