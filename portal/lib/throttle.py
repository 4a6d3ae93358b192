"""Who says it? Many processes notice the same thing at the same time, and one of them tells."""

from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone


def claim_notification(rows: QuerySet[Any], column: str, *, again_after: timedelta) -> bool:
    """Note in the column that it is told now; True for one process alone in each stretch of that length."""
    now = timezone.now()
    untold = rows.exclude(**{f"{column}__gt": now - again_after})
    return bool(untold.update(**{column: now}))
