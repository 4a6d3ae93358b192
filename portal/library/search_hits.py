"""The entries, and their tags, that a search over all desks finds."""

from collections.abc import Collection, Iterator, Mapping
from itertools import islice

from django.urls import reverse

from portal.library.filters import EntryFilters, label_names
from portal.library.models import Entry, LabelKind
from portal.saved_views.found import Found


def find_in_library(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give those with the words, the last changed first."""
    for row in Entry.objects.first_matching(words, "-changed_at", "-id").defer("search", "text")[:most]:
        yield Found(str(row), row.short, entry_url(slug, str(row.pk)))


def find_library_tags(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give the tags of entries that have the words. Each leads to the entries that have it."""
    wanted, url = words.casefold().split(), reverse("library:list", args=[slug])
    found = (name for name in label_names(LabelKind.TAG) if all(word in name.casefold() for word in wanted))
    for name in islice(found, most):
        yield Found(name, "Tag of the library", url + EntryFilters(tag=name).query())


def entry_titles(ids: Collection[str]) -> Mapping[str, str]:
    """Name those of these entries that are there."""
    keys = [int(each) for each in ids if each.isascii() and each.isdecimal() and len(each) < 19]
    return {str(row.pk): str(row) for row in Entry.objects.filter(pk__in=keys).only("question")}


def entry_url(slug: str, entry_id: str) -> str:
    return reverse("library:entry", args=[slug, entry_id])
