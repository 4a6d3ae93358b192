from collections.abc import Iterator, Sequence

from django.http import StreamingHttpResponse
from django.utils import timezone
from django.utils.text import capfirst
from django.views.decorators.http import require_POST

from portal.access_requests import services
from portal.access_requests.models import Viewer
from portal.access_requests.viewer_filters import ViewerFilters
from portal.access_requests.viewer_review import ReviewFilters
from portal.access_requests.viewer_selectors import ViewerRow, viewer_rows
from portal.accounts.selectors import account_names
from portal.lib.spreadsheets import csv_answer
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Membership, Role
from portal.ui.list_export import Line, list_lines
from portal.users.dates import as_read_by

COLUMNS = (
    *(
        "Id",
        "Name",
        "Email",
        "Company",
        "Domain",
        "Access",
        "Level",
        "Documents",
        "Person's NDA",
        "Person's NDA settled",
        "Account",
    ),
    *("Since", "Ends", "Revoked", "Reminded"),
)
REVIEW_COLUMNS = (
    *("Id", "Name", "Email", "Company", "Why", "Level", "Documents", "Ends", "Kept before by", "Kept because"),
    "Kept until",
)


@require_POST
@tenant_view(Role.ANALYST)
def export_viewers(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered viewers as a file. A POST: that it was taken is written down (guarantee S8)."""
    filters = ViewerFilters.read(request.GET)
    services.note_viewer_export(filters.query(), member=request.membership)
    return csv_answer(lines_of(filters, request.tenant.pk), "viewers")


def lines_of(filters: ViewerFilters, tenant_id: int) -> Iterator[Line]:
    now = timezone.now()

    def lines(viewers: Sequence[Viewer]) -> list[Line]:
        names = account_names({viewer.account_id for viewer in viewers})
        return [cells(row, names.get(row.viewer.account_id, "")) for row in viewer_rows(viewers)]

    return list_lines(
        COLUMNS,
        lambda: filters.rows(now=now).defer("payload", "search"),
        lines,
        tenant_id=tenant_id,
        order_by=filters.order_by,
    )


def cells(row: ViewerRow, account: str) -> Line:
    viewer = row.viewer
    moments = (viewer.nda_satisfied_at, viewer.created_at, viewer.expires_at, viewer.gone_at, viewer.reminded_at)
    signed, since, ends, removed, reminded = [at and at.isoformat(timespec="seconds") for at in moments]
    person = (viewer.platform_id, viewer.name, viewer.email, viewer.company, viewer.domain)
    access = (viewer.ending[0], viewer.level_label, "; ".join(row.documents), capfirst(viewer.nda_state), signed, account)
    return (*person, *access, since, ends or "Never", removed, reminded)


@require_POST
@tenant_view(Role.ANALYST)
def export_review(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the people whom a check finds, with everything that speaks against their access, in the same way."""
    filters = ReviewFilters.read(request.GET)
    services.note_viewer_export(filters.query(), member=request.membership, what="access review")
    return csv_answer(lines_of_review(filters, request.membership), "access-review")


def lines_of_review(filters: ReviewFilters, member: Membership) -> Iterator[Line]:
    now = timezone.now()

    def lines(viewers: Sequence[Viewer]) -> list[Line]:
        # The reasons have dates in them, which are written as on the page.
        with as_read_by(member.user):
            return [cells_of_review(row, filters.reasons(row.viewer, now=now)) for row in viewer_rows(viewers)]

    return list_lines(
        REVIEW_COLUMNS,
        lambda: filters.rows(now=now).defer("payload", "search"),
        lines,
        tenant_id=member.tenant_id,
        order_by=filters.order_by,
        zone=member.user.zone,
    )


def cells_of_review(row: ViewerRow, reasons: list[str]) -> Line:
    viewer = row.viewer
    ends, kept_until = [at and at.isoformat(timespec="seconds") for at in (viewer.expires_at, viewer.kept_until)]
    person = (viewer.platform_id, viewer.name, viewer.email, viewer.company, "; ".join(reasons))
    access = (viewer.level_label, "; ".join(row.documents), ends or "Never")
    return (*person, *access, viewer.kept_by_name, viewer.kept_word, kept_until)
