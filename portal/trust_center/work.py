"""Documents that have to be renewed, FAQs that contradict a sent answer, and updates that were not published, as work."""

from collections.abc import Iterable
from functools import partial

from django.db.models import QuerySet
from django.urls import reverse

from portal.calendars.models import OfficeHours
from portal.calendars.selectors import end_of_days
from portal.platform_writes.failed_runs import register_failed_runs
from portal.trust_center.kinds import FAQ, RESOURCE
from portal.trust_center.models import RENEW_SOON, ContentCheck, ContentCheckQuerySet, Resource
from portal.trust_center.search_hits import faq_url, resource_url
from portal.trust_center.services.publications import PUBLICATIONS
from portal.work_items.kinds import EVERY, Item, Kind, Source, register_kind


def _dated() -> QuerySet[Resource]:
    dismissed = ContentCheck.objects.dismissed().filter(subject=RESOURCE).order_by()
    return Resource.objects.dated().exclude(pk__in=dismissed.values("object_key"))


def _contradictions() -> ContentCheckQuerySet:
    rows: ContentCheckQuerySet = ContentCheck.objects.open().filter(subject=FAQ)
    return rows


def build(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of documents that have a day; each shows from a month before until the day moves or the document goes."""
    rows = list(_dated().filter(pk__in=list(ids)).defer("search", "payload", "description"))
    end_of = end_of_days({row.tenant_id for row in rows})
    return {
        row.pk: Item(
            title=str(row),
            to_do="Renew it or set another date",
            url=partial(_url, row.platform_id),
            due_at=end_of(row.tenant_id, row.renew_on),
            visible_from=end_of(row.tenant_id, row.renew_on) - RENEW_SOON,
        )
        for row in rows
    }


def build_contradictions(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of FAQs that contradict a sent answer; each stays until one of them changes, or it is dismissed."""
    rows = _contradictions().filter(pk__in=list(ids)).defer("search", "answers")
    return {
        row.pk: Item(title=str(row), to_do="Correct the FAQ or dismiss it", url=partial(_url_of_faq, row.platform_id))
        for row in rows
    }


def _url_of_faq(platform_id: str, slug: str) -> str:
    return faq_url(slug, platform_id)


def _url(platform_id: str, slug: str) -> str:
    return resource_url(slug, platform_id)


def _url_of_publication(publication_id: int, slug: str) -> str:
    return reverse("trust_center:publication", args=[slug, publication_id])


def register() -> None:
    register_failed_runs(PUBLICATIONS, desk="Trust Center", url=_url_of_publication)
    register_kind(
        Kind(
            name="document_renewal",
            label="Document to renew",
            icon="file-clock",
            desk="Trust Center",
            sources=(
                Source(model=Resource, columns=("title", "renew_on", "gone_at")),
                # A check of a FAQ has a document of the same key looked at once more.
                Source(model=ContentCheck, columns=("is_open",), key="object_key"),
                Source(model=OfficeHours, columns=("zone",), key=EVERY),
            ),
            build=build,
            objects=_dated,
        )
    )
    register_kind(
        Kind(
            name="faq_contradiction",
            label="FAQ that contradicts an answer",
            icon="message-circle-warning",
            desk="Trust Center",
            sources=(Source(model=ContentCheck, columns=("title", "is_open", "subject")),),
            build=build_contradictions,
            objects=_contradictions,
        )
    )
