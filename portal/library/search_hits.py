"""The entries, and their tags, that a search over all desks finds."""

from collections.abc import Collection, Iterator, Mapping
from itertools import islice

from django.urls import reverse

from portal.lib.row_keys import row_keys
from portal.library.filters import BY_TITLE, EntryFilters, label_names
from portal.library.models import Entry, KnowledgeResource, LabelKind
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


def find_knowledge(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give the resources of the knowledge base with the words, by title."""
    for row in KnowledgeResource.objects.present().first_matching(words, *BY_TITLE).defer("search", "description")[:most]:
        yield Found(str(row), row.text_label[0], knowledge_url(slug, row.platform_id))


def knowledge_titles(ids: Collection[str]) -> Mapping[str, str]:
    rows = KnowledgeResource.objects.present().filter(platform_id__in=ids).only("platform_id", "title")
    return {row.platform_id: str(row) for row in rows}


def knowledge_url(slug: str, platform_id: str) -> str:
    return reverse("library:knowledge_resource", args=[slug, platform_id])


def entry_titles(ids: Collection[str]) -> Mapping[str, str]:
    """Name those of these entries that are there."""
    return {str(row.pk): str(row) for row in Entry.objects.filter(pk__in=row_keys(ids)).only("question")}


def entry_url(slug: str, entry_id: str) -> str:
    return reverse("library:entry", args=[slug, entry_id])
