"""The access requests and the viewers that a search over all desks finds."""

from collections.abc import Iterator

from django.urls import reverse

from portal.access_requests.filters import NEWEST
from portal.access_requests.models import AccessRequest, Viewer
from portal.saved_views.found import Found


def find_requests(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give those with the words: who asked, and what became of it; the one that changed last first."""
    for row in AccessRequest.objects.matching(words).order_by(*NEWEST).defer("payload", "search")[:most]:
        note = " · ".join(filter(None, (row.company, row.outcome_label)))
        yield Found(str(row), note, reverse("access_requests:detail", args=[slug, row.platform_id]))


def find_viewers(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give those with the words, whose access ends first."""
    for row in Viewer.objects.matching(words).order_by("expires_sort", "id").defer("payload", "search")[:most]:
        note = row.email if row.name else ""
        yield Found(str(row), note, reverse("access_requests:viewer", args=[slug, row.platform_id]))
