"""How documents are fetched, stored and found gone. No event tells of them: the comparison of the list does.

The list leaves out the renewal day, so each new or changed document is fetched once more, a few a minute. What belongs to a
document is listed for that document alone, and is fetched only when somebody opens it.
"""

from collections.abc import Sequence
from functools import partial

from portal.documents.kinds import ACCOUNT_USER, AREA, DETAILS, DOCUMENT, EVIDENCE
from portal.documents.models import AccountUser, Document
from portal.documents.services.details import ask_for_details
from portal.documents.services.evidence import fetch_evidence, mark_uploaders, store_evidence
from portal.documents.services.store import (
    store_document,
    store_user,
    store_user_gone,
    whose_names_are_old,
)
from portal.platform_api.models.documents import Document as RemoteDocument
from portal.sync.copies import mirror_of_copies
from portal.sync.mirrors import Mirror, names_of_rows
from portal.sync.services import mark_many


def mark_owners(fetched: Sequence[RemoteDocument]) -> None:
    """Have the names of owners fetched that are not known yet."""
    mark_many(ACCOUNT_USER, whose_names_are_old(each.owner_id for each in fetched))


DOCUMENTS = mirror_of_copies(
    DOCUMENT,
    Document,
    area=AREA,
    unread=("payload", "search", "description"),
    title="Compliance documents",
    fetch=lambda client, document_id: client.documents.get(document_id),
    page=lambda client, cursor: client.documents.all.page(cursor),
    before_save=mark_owners,
    save=store_document,
    finish=lambda began_at: ask_for_details(),
)
MIRRORS = (
    DOCUMENTS,
    Mirror(
        kind=DETAILS,
        title="Details of compliance documents",
        area=AREA,
        # One call each, for all of them: news of other desks go first.
        is_bulk=True,
        names=DOCUMENTS.names,
        fetch=DOCUMENTS.fetch,
        before_save=mark_owners,
        save=partial(store_document, is_whole=True),
        mark_gone=DOCUMENTS.mark_gone,
        has=DOCUMENTS.has,
    ),
    Mirror(
        kind=EVIDENCE,
        title="Files of compliance documents",
        area=AREA,
        is_bulk=True,
        names=DOCUMENTS.names,
        fetch=fetch_evidence,
        identify=lambda fetched: fetched.document_id,
        before_save=mark_uploaders,
        save=store_evidence,
        # The platform knows no files of it, so it knows no such document either.
        mark_gone=DOCUMENTS.mark_gone,
        has=DOCUMENTS.has,
        problem=lambda fetched: fetched.problem,
    ),
    Mirror(
        kind=ACCOUNT_USER,
        title="Names of document owners",
        area=AREA,
        names=names_of_rows(AccountUser),
        fetch=lambda client, user_id: client.users.get(user_id),
        save=store_user,
        mark_gone=store_user_gone,
        has=lambda user_id: AccountUser.objects.filter(platform_id=user_id).exists(),
    ),
)
