"""How the platform's answer library and knowledge base are read (platform-api 4.4). No event tells of them."""

from collections.abc import Sequence

from portal.accounts.tags import ask_for_names, tags_in
from portal.lib.storable import storable_text
from portal.library.kinds import ANSWER, KNOWLEDGE_RESOURCE, KNOWLEDGE_TEXT
from portal.library.models import Entry, KnowledgeResource
from portal.library.services.entries import AREA
from portal.library.services.store import remove_answer, store_answer
from portal.library.services.store_knowledge import mark_texts, store_resource, store_text
from portal.library.services.text_extraction import fetch_text
from portal.library.services.wordings import note_wordings
from portal.platform_api.models import knowledge as remote
from portal.sync.copies import mirror_of_copies
from portal.sync.mirrors import Mirror, names_of_rows


def prepare(fetched: Sequence[remote.Answer]) -> None:
    """Have tags named, and keep the wordings of a whole page at once: to do it for each would take much longer."""
    ask_for_names({tag for one in fetched for tag in tags_in(one.tags)})
    note_wordings(storable_text(one.question) for one in fetched)


MIRRORS = (
    Mirror(
        kind=ANSWER,
        title="Answer library",
        area=AREA,
        fetch=lambda client, answer_id: client.answer_library.get(answer_id),
        page=lambda client, cursor: client.answer_library.all.page(cursor),
        before_save=prepare,
        save=store_answer,
        mark_gone=remove_answer,
        has=lambda answer_id: Entry.objects.filter(platform_id=answer_id).exists(),
        known=lambda: set(Entry.objects.mirrored().values_list("platform_id", flat=True)),
        names=names_of_rows(Entry, "search", "text"),
        has_events=False,
    ),
    mirror_of_copies(
        KNOWLEDGE_RESOURCE,
        KnowledgeResource,
        area=AREA,
        title="Knowledge base",
        unread=("description", "search"),
        fetch=lambda client, resource_id: client.knowledge_base.get(resource_id),
        page=lambda client, cursor: client.knowledge_base.all.page(cursor),
        before_save=mark_texts,
        save=store_resource,
    ),
    Mirror(
        kind=KNOWLEDGE_TEXT,
        title="Files of the knowledge base",
        area=AREA,
        fetch=fetch_text,
        save=store_text,
        # Whether the resource itself is gone the comparison of all of them tells.
        mark_gone=lambda _: False,
        has=lambda resource_id: KnowledgeResource.objects.filter(platform_id=resource_id).exists(),
        names=names_of_rows(KnowledgeResource, "description", "search"),
        is_bulk=True,
        has_events=False,
    ),
)
