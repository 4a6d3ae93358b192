"""The access requests and the viewers that a search over all desks finds."""

from collections.abc import Iterator

from django.urls import reverse

from portal.access_requests.filters import NEWEST, WAITING_LONGEST
from portal.access_requests.models import AccessRequest, Viewer
from portal.saved_views.found import Found


def find_requests(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give those with the words: who asked, and what became of it; the one that changed last first."""
    for row in AccessRequest.objects.first_matching(words, *NEWEST).defer("payload", "search")[:most]:
        note = " · ".join(filter(None, (row.company, row.outcome_label)))
        yield Found(str(row), note, reverse("access_requests:detail", args=[slug, row.platform_id]))


def find_viewers(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give those with the words, whose access ends first."""
    for row in Viewer.objects.first_matching(words, "expires_sort", "id").defer("payload", "search")[:most]:
        note = row.email if row.name else ""
        yield Found(str(row), note, reverse("access_requests:viewer", args=[slug, row.platform_id]))


def find_to_approve(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give those that wait for a decision, at the terms of their approval; who has waited longest first."""
    rows = AccessRequest.objects.waiting().first_matching(words, *WAITING_LONGEST).defer("payload", "search")
    for row in rows[:most]:
        url = reverse("access_requests:detail", args=[slug, row.platform_id])
        yield Found(f"Approve {row}\N{HORIZONTAL ELLIPSIS}", row.company or row.domain, f"{url}#approve-form")
