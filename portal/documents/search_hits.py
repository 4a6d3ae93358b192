"""What of this desk a search over all desks finds, and what it offers again."""

from collections.abc import Collection, Iterator, Mapping

from django.urls import reverse

from portal.documents.filters import SORTS
from portal.documents.models import Document
from portal.saved_views.found import Found


def find_documents(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give the documents with the words, by title."""
    for row in Document.objects.present().first_matching(words, *SORTS[""]).defer("payload", "search", "description")[:most]:
        yield Found(str(row), row.status, document_url(slug, row.platform_id))


def document_titles(ids: Collection[str]) -> Mapping[str, str]:
    rows = Document.objects.present().filter(platform_id__in=ids).only("platform_id", "title")
    return {row.platform_id: str(row) for row in rows}


def document_url(slug: str, platform_id: str) -> str:
    return reverse("documents:document", args=[slug, platform_id])
