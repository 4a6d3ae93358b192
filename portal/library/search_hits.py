"""The entries that a search over all desks finds."""

from collections.abc import Iterator

from django.urls import reverse

from portal.library.models import Entry
from portal.saved_views.found import Found


def find_in_library(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give those with the words, the last changed first."""
    for row in Entry.objects.matching(words).order_by("-changed_at", "-id").defer("search", "text")[:most]:
        yield Found(str(row), row.short, reverse("library:entry", args=[slug, row.pk]))
