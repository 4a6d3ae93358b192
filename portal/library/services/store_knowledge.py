"""What the platform's knowledge base says becomes rows, and the text of its files passages, in the caller's transaction."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from portal.lib.storable import storable_text
from portal.lib.text_extraction import Document
from portal.library.kinds import KNOWLEDGE_TEXT
from portal.library.lexicon import edition
from portal.library.models import FILE, KnowledgeResource, Passage, TextState
from portal.library.models.knowledge import MAX_PROBLEM_LENGTH, MAX_TITLE_LENGTH, MAX_TYPE_LENGTH
from portal.library.passages import passages_of
from portal.library.services.wordings import post_passages
from portal.platform_api.models import knowledge as remote
from portal.sync.copies import search_text, sort_key, store_copy
from portal.sync.services import mark_many
from portal.tenants.erased_people import without_mentions

MAX_TEXT_LENGTH, MAX_URL_LENGTH = 50_000, 4000
EXPIRED = "EXPIRED"
BATCH = 500


@dataclass(frozen=True)
class FetchedText:
    """What came out of the file of a resource."""

    id: str
    document: Document


def store_resource(fetched: remote.KnowledgeResource) -> bool:
    """Make the row equal to what was fetched; True when it changed. The text of a file is read by itself (`mark_texts`)."""
    title, description = without_mentions([storable_text(fetched.title), storable_text(fetched.description or "")])
    of_text = {} if fetched.type == FILE else {"text_state": TextState.PAGE}
    columns = {
        "title": title[:MAX_TITLE_LENGTH],
        "title_sort": sort_key(title),
        "description": description[:MAX_TEXT_LENGTH],
        "type": storable_text(fetched.type)[:MAX_TYPE_LENGTH],
        "url": storable_text(fetched.url or "")[:MAX_URL_LENGTH],
        "is_used": fetched.is_used_in_questionnaires is not False,
        "is_expired": fetched.expiration_status == EXPIRED,
        "expires_at": fetched.expiration_date,
        "verified_at": fetched.last_verified,
        "updated_at": fetched.last_updated,
        "search": search_text(title, description, fetched.url or ""),
    }
    return store_copy(KnowledgeResource, fetched.id, columns | of_text)


def mark_texts(fetched: Sequence[remote.KnowledgeResource]) -> None:
    """Have the files read that are new here, are back, or have changed since."""
    files = {one.id: one.last_updated for one in fetched if one.type == FILE}
    known = KnowledgeResource.objects.present().filter(platform_id__in=files).values_list("platform_id", "updated_at")
    old = [key for key, updated_at in (files.items() - set(known))]
    mark_many(KNOWLEDGE_TEXT, old)
    KnowledgeResource.objects.filter(platform_id__in=old).update(text_state=TextState.WAITING, problem="")


def store_text(fetched: FetchedText) -> bool:
    """Keep the text of a file in place of what was read of it before."""
    resource = KnowledgeResource.objects.present().select_for_update().filter(platform_id=fetched.id).first()
    if resource is None or resource.type != FILE:
        return False
    document = fetched.document
    resource.passages.all().delete()
    found = passages_of(document.pages)
    texts = without_mentions([text for _, text in found])
    rows = [
        Passage(resource=resource, position=place, page=page, text=text, edition=edition())
        for place, ((page, _), text) in enumerate(zip(found, texts, strict=True))
    ]
    post_passages(Passage.objects.bulk_create(rows, batch_size=BATCH))
    is_read = TextState.READ if rows else TextState.NONE
    resource.text_state = TextState.FAILED if document.problem else is_read
    resource.problem = (document.problem or document.remark)[:MAX_PROBLEM_LENGTH]
    resource.page_count, resource.read_at = document.page_count, timezone.now()
    resource.save(update_fields=["text_state", "problem", "page_count", "read_at"])
    return True
