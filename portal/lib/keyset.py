"""Keyset pages: the cursor names the last row seen, so page 1,000 costs what page 1 costs and no row is skipped."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import FieldError, ValidationError
from django.core.signing import BadSignature, Signer
from django.db.models import Field, Model, Q, QuerySet

FORWARD, BACKWARD = "n", "p"


@dataclass(frozen=True)
class KeysetPage[M: Model]:
    """The rows of one page, in order, and the cursors of its neighbours (None where there is none)."""

    rows: list[M]
    next_cursor: str | None
    previous_cursor: str | None

    def __bool__(self) -> bool:
        return bool(self.rows)


def keyset_page[M: Model](
    queryset: QuerySet[M], *, order_by: Sequence[str], cursor: str | None, size: int = 50
) -> KeysetPage[M]:
    """Give one page. `order_by` names NOT NULL columns ("-" turns one around), the last of them unique.

    A cursor that was changed, or that belongs to another ordering, means page one.
    """
    direction, position = _read(cursor, queryset.model, order_by)
    page = _backward(queryset, order_by, position, size) if direction == BACKWARD else None
    page = page or _forward(queryset, order_by, position if direction == FORWARD else None, size)
    if position is not None and not page:
        # Everything behind the cursor is gone since: the start of the list is the only page that is still there.
        return _forward(queryset, order_by, None, size)
    return page


def cursor_after(row: Model, *, order_by: Sequence[str]) -> str:
    """Give the cursor of the page that begins right behind a row."""
    return _write(FORWARD, row, order_by)


def _forward[M: Model](queryset: QuerySet[M], order_by: Sequence[str], position: list[Any] | None, size: int) -> KeysetPage[M]:
    after = queryset if position is None else queryset.filter(_beyond(order_by, position))
    rows = list(after.order_by(*order_by)[: size + 1])
    more, rows = len(rows) > size, rows[:size]
    return KeysetPage(
        rows,
        next_cursor=_write(FORWARD, rows[-1], order_by) if more else None,
        previous_cursor=_write(BACKWARD, rows[0], order_by) if rows and position is not None else None,
    )


def _backward[M: Model](
    queryset: QuerySet[M], order_by: Sequence[str], position: list[Any] | None, size: int
) -> KeysetPage[M] | None:
    """Give the full page before a position, or None when less than a page is left (page one then shows it all)."""
    if position is None:
        return None
    turned = [name[1:] if name.startswith("-") else f"-{name}" for name in order_by]
    rows = list(queryset.filter(_beyond(turned, position)).order_by(*turned)[: size + 1])
    if len(rows) <= size:
        return None
    rows = rows[:size][::-1]
    return KeysetPage(
        rows,
        next_cursor=_write(FORWARD, rows[-1], order_by),
        previous_cursor=_write(BACKWARD, rows[0], order_by),
    )


def _beyond(order_by: Sequence[str], position: Sequence[Any]) -> Q:
    """Write "after this row" so that an index on the ordering serves it: a >= x and (a > x or (a = x and ...))."""
    (name, *names), (value, *values) = order_by, position
    field, lookup = (name[1:], "lt") if name.startswith("-") else (name, "gt")
    strictly = Q(**{f"{field}__{lookup}": value})
    if not names:
        return strictly
    return Q(**{f"{field}__{lookup}e": value}) & (strictly | (Q(**{field: value}) & _beyond(names, values)))


def _signer(order_by: Sequence[str]) -> Signer:
    return Signer(salt="keyset:" + ",".join(order_by))


def _fields(model: type[Model], order_by: Sequence[str]) -> "list[Field[Any, Any]]":
    columns = {field.name: field for field in model._meta.concrete_fields}
    return [columns[name.lstrip("-")] for name in order_by]


def _write(direction: str, row: Model, order_by: Sequence[str]) -> str:
    fields = _fields(type(row), order_by)
    return _signer(order_by).sign_object([direction, *(field.value_to_string(row) for field in fields)])


def _read(cursor: str | None, model: type[Model], order_by: Sequence[str]) -> tuple[str, list[Any] | None]:
    """Read a cursor of ours; anything else starts at the beginning."""
    fields = _fields(model, order_by)
    try:
        direction, *texts = _signer(order_by).unsign_object(cursor or "")
        position = [field.to_python(text) for field, text in zip(fields, texts, strict=True)]
    except (BadSignature, ValidationError, FieldError, ValueError, TypeError):
        return FORWARD, None
    return direction, position
