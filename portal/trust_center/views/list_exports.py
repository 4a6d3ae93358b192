from collections.abc import Iterator, Sequence
from datetime import date

from django.http import StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from portal.lib.spreadsheets import csv_answer
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.trust_center import selectors, services
from portal.trust_center.filters import (
    BY_ADDRESS,
    BY_CATEGORY,
    BY_NAME,
    BY_PLACE,
    NEWEST_FIRST,
    FaqFilters,
    FrameworkFilters,
    ResourceFilters,
    ShownControlFilters,
    SubprocessorFilters,
    SubscriberFilters,
    UpdateFilters,
)
from portal.trust_center.models import Resource, Subscriber, Update
from portal.trust_center.services.writes import PUBLISHER
from portal.ui.list_export import Line, list_lines

SUBPROCESSOR_COLUMNS = ("Id", "Name", "Purpose", "Location", "Description", "Website")
SUBSCRIBER_COLUMNS = ("Id", "Address", "Groups", "Confirmed", "Since")
RESOURCE_COLUMNS = ("Id", "Title", "Description", "Access", "Type", "Renewal", "Renew by", "Added", "Changed")
FAQ_COLUMNS = ("Id", "Question", "Answer", "Category")
CONTROL_COLUMNS = ("Id", "Name", "Description", "Categories")
UPDATE_COLUMNS = ("Id", "Title", "Description", "Category", "Who sees it", "Notified by email", "Published", "Changed")
FRAMEWORK_COLUMNS = ("Id", "Name", "Kind", "Description")


@require_POST
@tenant_view(Role.ANALYST)
def export_subprocessors(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered subprocessors as a file. A POST: that it was taken is written down (guarantee S8)."""
    services.record_export("subprocessors", member=request.membership)
    filters = SubprocessorFilters.read(request.GET)
    lines = list_lines(
        SUBPROCESSOR_COLUMNS,
        lambda: filters.rows().defer("payload", "search"),
        lambda page: [(row.platform_id, row.name, row.purpose, row.location, row.description, row.url) for row in page],
        tenant_id=request.tenant.pk,
        order_by=BY_NAME,
    )
    return csv_answer(lines, "subprocessors")


@require_POST
@tenant_view(PUBLISHER)
def export_subscribers(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered subscribers as a file, in the same way. It holds addresses: for those who decide who gets emails."""
    services.record_export("subscribers", member=request.membership, role=PUBLISHER)
    return csv_answer(lines_of_subscribers(SubscriberFilters.read(request.GET), request.tenant.pk), "subscribers")


def lines_of_subscribers(filters: SubscriberFilters, tenant_id: int) -> Iterator[Line]:
    def lines(rows: Sequence[Subscriber]) -> list[Line]:
        groups = selectors.group_names(rows)
        return [cells_of_subscriber(row, groups.get(row.pk, [])) for row in rows]

    return list_lines(
        SUBSCRIBER_COLUMNS,
        lambda: filters.rows().defer("payload", "search"),
        lines,
        tenant_id=tenant_id,
        order_by=BY_ADDRESS,
    )


def cells_of_subscriber(row: Subscriber, groups: list[str]) -> Line:
    is_confirmed = "Yes" if row.is_verified else "No"
    return (row.platform_id, row.email, "; ".join(groups), is_confirmed, row.created_at.isoformat(timespec="seconds"))


@require_POST
@tenant_view(Role.ANALYST)
def export_resources(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered documents as a file, in the same way."""
    services.record_export("documents", member=request.membership)
    filters, today = ResourceFilters.read(request.GET), timezone.localdate()
    lines = list_lines(
        RESOURCE_COLUMNS,
        lambda: filters.rows(today).defer("payload", "search"),
        lambda page: [cells_of_resource(row, today) for row in page],
        tenant_id=request.tenant.pk,
        order_by=filters.order_by,
    )
    return csv_answer(lines, "trust-center-documents")


def cells_of_resource(row: Resource, today: date) -> Line:
    renewal = (row.renewal_label(today)[0], row.renew_on.isoformat() if row.has_renewal else None)
    moments = [at and at.isoformat(timespec="seconds") for at in (row.created_at, row.updated_at)]
    return (row.platform_id, row.title, row.description, row.access_label, row.file_type, *renewal, *moments)


@require_POST
@tenant_view(Role.ANALYST)
def export_faqs(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered FAQs as a file, in the same way."""
    services.record_export("FAQs", member=request.membership)
    filters = FaqFilters.read(request.GET)
    lines = list_lines(
        FAQ_COLUMNS,
        lambda: filters.rows().defer("payload", "search"),
        lambda page: [(row.platform_id, row.question, row.answer, row.category_label) for row in page],
        tenant_id=request.tenant.pk,
        order_by=BY_CATEGORY,
    )
    return csv_answer(lines, "faqs")


@require_POST
@tenant_view(Role.ANALYST)
def export_controls(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered controls as a file, in the same way."""
    services.record_export("controls", member=request.membership)
    filters = ShownControlFilters.read(request.GET)
    lines = list_lines(
        CONTROL_COLUMNS,
        lambda: filters.rows().defer("payload", "search").prefetch_related("placements"),
        lambda page: [(row.platform_id, row.name, row.description, "; ".join(map(str, row.placements.all()))) for row in page],
        tenant_id=request.tenant.pk,
        order_by=BY_PLACE,
    )
    return csv_answer(lines, "trust-center-controls")


@require_POST
@tenant_view(Role.ANALYST)
def export_updates(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered updates as a file, in the same way."""
    services.record_export("updates", member=request.membership)
    filters = UpdateFilters.read(request.GET)
    lines = list_lines(
        UPDATE_COLUMNS,
        lambda: filters.rows().defer("search"),
        lambda page: map(cells_of_update, page),
        tenant_id=request.tenant.pk,
        order_by=NEWEST_FIRST,
    )
    return csv_answer(lines, "trust-center-updates")


def cells_of_update(row: Update) -> Line:
    moments = [at.isoformat(timespec="seconds") for at in (row.created_at, row.updated_at)]
    said = (row.platform_id, row.title, row.description, row.category_label, row.access_label)
    return (*said, len(row.notified), *moments)


@require_POST
@tenant_view(Role.ANALYST)
def export_frameworks(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered compliance frameworks as a file, in the same way."""
    services.record_export("compliance frameworks", member=request.membership)
    filters = FrameworkFilters.read(request.GET)
    lines = list_lines(
        FRAMEWORK_COLUMNS,
        lambda: filters.rows().defer("payload", "search"),
        lambda page: [
            (row.platform_id, row.name, "Published standard" if row.standard else "Your own", row.description) for row in page
        ],
        tenant_id=request.tenant.pk,
        order_by=BY_NAME,
    )
    return csv_answer(lines, "trust-center-frameworks")
