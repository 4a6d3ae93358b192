"""The tags that a search over all desks finds. Each leads to the questionnaires that have it."""

from collections.abc import Iterator
from itertools import islice

from django.urls import reverse

from portal.lib.unnamed import named
from portal.saved_views.found import Found
from portal.tags.filters import ORDER
from portal.tags.models import Category
from portal.tags.selectors import query_of

MAX_CATEGORIES = 20
"""So many categories with the words are looked through for their tags."""


def find_tags(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give the tags that have the words in their name or in that of their category, category by category."""
    return islice(_tags_with(words.casefold().split(), words, slug), most)


def _tags_with(wanted: list[str], words: str, slug: str) -> Iterator[Found]:
    url = reverse("questionnaires:list", args=[slug])
    rows = Category.objects.present().first_matching(words, *ORDER).defer("payload", "search", "former_tags")
    for row in rows[:MAX_CATEGORIES]:
        for tag in row.tags:
            title = f"{row} {tag['name']}".casefold()
            if all(word in title for word in wanted):
                yield Found(named(tag["name"]), str(row), f"{url}?{query_of(row, tag['id'])}")
