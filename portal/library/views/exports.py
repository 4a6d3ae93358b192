from collections.abc import Iterator
from datetime import date

from django.http import StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from portal.lib.spreadsheets import csv_answer
from portal.library import services
from portal.library.filters import BY_TITLE, EntryFilters, KnowledgeFilters
from portal.library.models import Entry, EntryQuerySet, KnowledgeResource, State, labels_of
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.list_export import Line, list_lines

COLUMNS = (
    *("Question", "Answer", "Short answer", "Tags", "Products", "Language", "Owner email", "Review by", "Expires on"),
    *("State", "Owner", "Also asked as", "Origin", "Used", "Verified", "Changed"),
)
"""Those of the first line are what an import reads."""
KNOWLEDGE_COLUMNS = (
    *("Id", "Title", "Description", "Type", "Address", "Text", "Used for answers", "Validity", "Valid until"),
    *("Verified", "Updated"),
)


@require_POST
@tenant_view(Role.ANALYST)
def export(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered entries as a file. A POST: that it was taken is written down (guarantee S8)."""
    filters = EntryFilters.read(request.GET)
    services.record_export(filters.query(), member=request.membership)
    lines = lines_of(filters, request.tenant.pk, request.membership.user_id, timezone.localdate())
    return csv_answer(lines, "library")


def lines_of(filters: EntryFilters, tenant_id: int, user_id: int, today: date) -> Iterator[Line]:
    def rows() -> EntryQuerySet:
        found = filters.rows(user_id, today).select_related("owner").prefetch_related("labels", "variants")
        return found.defer("search")

    return list_lines(COLUMNS, rows, lambda page: map(cells, page), tenant_id=tenant_id, order_by=filters.order_by)


def cells(row: Entry) -> Line:
    labels, owner = labels_of(row), row.owner
    variants = [f"{each.question} (reversed)" if each.is_reversed else each.question for each in row.variants.all()]
    moments = [at and at.isoformat(timespec="seconds") for at in (row.verified_at, row.changed_at)]
    said = (row.question, row.text, row.short, ", ".join(labels["tags"]), ", ".join(labels["products"]), row.language)
    days = (owner.email if owner else "", row.review_on, row.expires_on)
    state = (State(row.state).label, owner or "", "\n".join(variants), row.get_origin_display(), row.use_count)
    return (*said, *days, *state, *moments)


@require_POST
@tenant_view(Role.ANALYST)
def export_knowledge(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered documents of the knowledge base as a file, in the same way."""
    filters = KnowledgeFilters.read(request.GET)
    services.record_export(filters.query(), member=request.membership, what="knowledge base")
    lines = list_lines(
        KNOWLEDGE_COLUMNS,
        lambda: filters.rows().defer("search"),
        lambda page: map(cells_of_resource, page),
        tenant_id=request.tenant.pk,
        order_by=BY_TITLE,
    )
    return csv_answer(lines, "knowledge-base")


def cells_of_resource(row: KnowledgeResource) -> Line:
    moments = [at and at.isoformat(timespec="seconds") for at in (row.expires_at, row.verified_at, row.updated_at)]
    said = (row.platform_id, row.title, row.description, row.type, row.url)
    return (*said, row.text_label[0], "Yes" if row.is_used else "No", row.validity_label[0], *moments)
