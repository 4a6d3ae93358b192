"""The commitments that a search over all desks finds."""

from collections.abc import Iterator

from django.urls import reverse

from portal.commitments.filters import ORDER
from portal.commitments.models import Commitment
from portal.saved_views.found import Found


def find_commitments(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give those in force with the words, the newest first."""
    rows = Commitment.objects.in_force().first_matching(words, *ORDER).defer("search", "quote", "notify")
    for row in rows[:most]:
        yield Found(str(row), row.account_name, reverse("commitments:commitment", args=[slug, row.pk]))
