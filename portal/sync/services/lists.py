"""Lists and single objects: which of them costs fewer calls, and which comes first."""

from collections.abc import Sequence
from datetime import timedelta
from math import ceil
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone

from portal.platform_api import PAGE_SIZE, Page
from portal.platform_api.errors import EndlessList
from portal.platform_api.trails import Trail
from portal.sync.mirrors import Mirror
from portal.sync.models import Run, RunState, StaleMark

MAX_HELD_BACK = timedelta(minutes=30)
"""What has waited this long is fetched although lists of the first copy are missing: they are very long then."""
MAX_SINCE_GIVEN = timedelta(hours=3)
"""Lists are compared every hour: two comparisons may be late, or wait for their turn."""
ON_THEIR_WAY = (RunState.QUEUED, RunState.RUNNING, RunState.PAUSED)
"""What waits for a person or has failed keeps nobody waiting: nobody knows for how long."""


def cheaper_as_list(mirrors: Sequence[Mirror], among: Q) -> list[Mirror]:
    """Return the kinds with more due marks than their list has pages, as the last comparison counted it."""
    due = dict(StaleMark.objects.due().filter(among).order_by().values_list("kind").annotate(Count("pk")))
    seen = dict(Run.objects.filter(state=RunState.DONE, kind__in=due).values_list("kind", "seen"))
    return [
        mirror for mirror in mirrors if mirror.page and mirror.kind in seen and due[mirror.kind] > _pages(seen[mirror.kind])
    ]


def held_back(mirrors: Sequence[Mirror]) -> Q:
    """Say which marks stand back behind the first copy's lists: what no list names, unless a person waits for it.

    A page that shows nothing is worth less than one whose rows lack their details, and both are paid from the same minute.
    """
    if not _lists_are_missing(mirrors):
        return Q(pk__in=[])
    details = [mirror.kind for mirror in mirrors if mirror.page is None and not mirror.is_named_in_lists]
    return Q(kind__in=details, urgent=False, marked_at__gt=timezone.now() - MAX_HELD_BACK)


def _lists_are_missing(mirrors: Sequence[Mirror]) -> bool:
    shown = [mirror.kind for mirror in mirrors if mirror.page and not mirror.is_log]
    return Run.objects.filter(kind__in=shown, finished_at=None, state__in=ON_THEIR_WAY).exists()


def is_given(kind: str) -> bool:
    """Say whether the platform has lately shown the whole list of a kind: what it refuses then is one object of it."""
    given = Run.objects.filter(kind=kind, finished_at__gt=timezone.now() - MAX_SINCE_GIVEN)
    return given.exclude(state=RunState.BLOCKED).exists()


def circle_of(trail: Trail, mirror: Mirror, page: Page[Any]) -> EndlessList | None:
    """Note a page on the trail of a walk; return the error when the list leads round in a circle (guarantee Q16)."""
    if page.next_cursor is None:
        return None
    try:
        trail.follow(page.next_cursor, [*map(mirror.identify, page.items), *page.unread_ids])
    except EndlessList as error:
        return error
    return None


def _pages(objects: int) -> int:
    """Count one more than they fill: the list has grown since, or it is made of two."""
    return ceil(objects / PAGE_SIZE) + 1
