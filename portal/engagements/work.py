"""Information requests and evidence that customers have made ready, as work of the firm's team."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from portal.calendars.models import OfficeHours
from portal.calendars.selectors import ends_of_due_dates
from portal.engagements.models import Engagement, EvidenceItem, InformationRequest
from portal.engagements.search_hits import evidence_url, request_url
from portal.engagements.services.writes import DECIDER
from portal.work_items.kinds import EVERY, Item, Kind, Searched, Source, register_kind

UNREAD = ("payload", "search", "engagement__payload", "engagement__search")


def build_requests(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of requests that are ready for audit, until the firm has approved or flagged them."""
    return _build(InformationRequest, ids, "Approve or flag the information request", request_url, due="due_at")


def build_evidence(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of evidence that is ready for audit, until the firm has accepted or flagged it."""
    return _build(EvidenceItem, ids, "Accept or flag the evidence", evidence_url)


def _build(model: type[Any], ids: Iterable[int], to_do: str, url: Callable[[str, Any], str], due: str = "") -> dict[int, Item]:
    rows = list(model._default_manager.ready().filter(pk__in=list(ids)).select_related("engagement").defer(*UNREAD))
    ends = {row.pk: getattr(row, due) if due else row.engagement.ends_at for row in rows}
    end_of = ends_of_due_dates({row.tenant_id for row in rows})
    return {
        row.pk: Item(
            title=str(row),
            to_do=to_do,
            customer=row.engagement.customer,
            url=partial(_url, url, row),
            due_at=ends[row.pk] and end_of(row.tenant_id, ends[row.pk]),
            role=DECIDER,
        )
        for row in rows
    }


def _url(url: Callable[[str, Any], str], row: Any, slug: str) -> str:
    return url(slug, row)


def register() -> None:
    of_audit = ("name", "customer", "completed_at", "deleted_at", "ends_at", "gone_at")
    for name, label, model, build, columns in (
        ("audit_request", "Information request to review", InformationRequest, build_requests, ("due_at",)),
        ("audit_evidence", "Evidence to review", EvidenceItem, build_evidence, ()),
    ):
        register_kind(
            Kind(
                name=name,
                label=label,
                icon="file-check",
                desk="Audits",
                sources=(
                    Source(model=model, columns=("name", "status", "deleted_at", "gone_at", *columns)),
                    Source(model=Engagement, columns=of_audit, children=(model, "engagement")),
                    Source(model=OfficeHours, columns=("zone",), key=EVERY),
                ),
                build=build,
                objects=model._default_manager.ready,
                searched=Searched(model),
            )
        )
