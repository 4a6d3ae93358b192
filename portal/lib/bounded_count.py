"""Counting beside each row of a query, only so far: it costs the same however many there are."""

from typing import Any

from django.db.models import IntegerField, QuerySet, Subquery


class BoundedCount(Subquery):
    """How many rows a query has that names the outer row with `OuterRef`, counted up to a limit."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) AS counted)"
    output_field = IntegerField()

    def __init__(self, rows: QuerySet[Any], limit: int) -> None:
        super().__init__(rows.order_by().values("pk")[:limit])
