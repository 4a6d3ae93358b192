"""One object at a time, or the whole list: whichever costs fewer calls."""

from collections.abc import Sequence
from math import ceil
from typing import Any

from django.db.models import Count, Q

from portal.platform_api import PAGE_SIZE, Page
from portal.platform_api.errors import EndlessList
from portal.platform_api.trails import Trail
from portal.sync.mirrors import Mirror
from portal.sync.models import Run, RunState, StaleMark


def cheaper_as_list(mirrors: Sequence[Mirror], among: Q) -> list[Mirror]:
    """Return the kinds with more due marks than their list has pages, as the last comparison counted it."""
    due = dict(StaleMark.objects.due().filter(among).order_by().values_list("kind").annotate(Count("pk")))
    seen = dict(Run.objects.filter(state=RunState.DONE, kind__in=due).values_list("kind", "seen"))
    return [
        mirror for mirror in mirrors if mirror.page and mirror.kind in seen and due[mirror.kind] > _pages(seen[mirror.kind])
    ]


def circle_of(trail: Trail, mirror: Mirror, page: Page[Any]) -> EndlessList | None:
    """Note a page on the trail of a walk; return the error when the list leads round in a circle (guarantee Q16)."""
    if page.next_cursor is None:
        return None
    try:
        trail.follow(page.next_cursor, map(mirror.identify, page.items))
    except EndlessList as error:
        return error
    return None


def _pages(objects: int) -> int:
    """Count one more than they fill: the list has grown since, or it is made of two."""
    return ceil(objects / PAGE_SIZE) + 1
