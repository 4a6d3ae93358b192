"""Evidence to renew, as work of whoever owns the document, and files that did not arrive, of whoever uploaded them."""

from collections.abc import Iterable
from functools import partial

from django.db.models import QuerySet

from portal.calendars.models import OfficeHours
from portal.calendars.selectors import end_of_days
from portal.documents.models import Document, UploadAttempt, UploadState
from portal.documents.search_hits import document_url
from portal.work_items.kinds import EVERY, Item, Kind, Searched, Source, register_kind
from portal.work_items.services import members_among, members_named, owner_of


def _dated() -> QuerySet[Document]:
    return Document.objects.dated()


def build(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of documents that have a renewal day; each shows from its reminder until the platform moves the day."""
    rows = list(_dated().filter(pk__in=list(ids)).defer("search", "payload", "description"))
    end_of = end_of_days({row.tenant_id for row in rows})
    members = members_named((row.tenant_id, row.owner_name) for row in rows)
    return {
        row.pk: Item(
            title=str(row),
            to_do="Upload new evidence",
            url=partial(_url, row.platform_id),
            due_at=end_of(row.tenant_id, row.renew_on),
            visible_from=end_of(row.tenant_id, row.remind_on),
            owner_id=owner_of(members, row.tenant_id, row.owner_name),
            owner_name=row.owner,
        )
        for row in rows
    }


def _absent() -> QuerySet[UploadAttempt]:
    return UploadAttempt.objects.filter(state=UploadState.ABSENT, document__gone_at=None)


def build_uploads(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of files that did not arrive, until they are uploaded again or dismissed."""
    wanted = _absent().filter(pk__in=list(ids)).select_related("document", "begun_by")
    rows = list(wanted.defer("document__search", "document__payload", "document__description"))
    members = members_among((row.tenant_id, row.begun_by_id) for row in rows)
    return {
        row.pk: Item(
            title=str(row.document),
            to_do="A file did not arrive: upload it again or dismiss",
            url=partial(_url, row.document.platform_id),
            owner_id=row.begun_by_id if (row.tenant_id, row.begun_by_id) in members else None,
            owner_name=str(row.begun_by) if (row.tenant_id, row.begun_by_id) in members else "",
        )
        for row in rows
    }


def _url(platform_id: str, slug: str) -> str:
    return document_url(slug, platform_id)


def register() -> None:
    register_kind(
        Kind(
            name="evidence_renewal",
            label="Evidence to renew",
            icon="folder-clock",
            desk="Documents",
            sources=(
                Source(model=Document, columns=("title", "renew_on", "remind_on", "owner_id", "owner_name", "gone_at")),
                Source(model=OfficeHours, columns=("zone",), key=EVERY),
            ),
            build=build,
            searched=Searched(Document),
            objects=_dated,
            has_owners=True,
        )
    )
    register_kind(
        Kind(
            name="document_upload",
            label="Evidence upload",
            icon="triangle-alert",
            desk="Documents",
            sources=(
                Source(model=UploadAttempt, columns=("state", "begun_by")),
                Source(model=Document, columns=("gone_at",), children=(UploadAttempt, "document")),
            ),
            build=build_uploads,
            searched=Searched(Document, "document"),
            objects=_absent,
            has_owners=True,
        )
    )
