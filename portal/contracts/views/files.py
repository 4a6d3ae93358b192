"""The contracts as a file, and own fields out of one."""

import json
from collections.abc import Iterator, Sequence

from django.contrib import messages
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from portal.contracts import selectors, services
from portal.contracts.filters import ContractFilters
from portal.contracts.forms import ImportForm
from portal.contracts.import_rows import READERS, ImportRow, validated
from portal.contracts.models import Contract, Terms
from portal.contracts.selectors.contracts import ContractRow
from portal.lib.spreadsheets import csv_answer
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.ui.list_export import Line, list_lines

COLUMNS = (
    *("External id", "Ends", "Renews", "Renews automatically", "Renewal months", "Notice", "Owner", "Governing DPA", "Notes"),
    *("Name", "Customer", "Executed", "Last day to give notice", "On the platform since", "Id on the platform"),
)
"""The first line is what an import reads."""


@require_POST
@tenant_view(Role.ANALYST)
def export(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered contracts as a file. A POST: that it was taken is written down (guarantee S8)."""
    filters = ContractFilters.read(request.GET)
    services.record_export(filters.query(), member=request.membership)
    return csv_answer(lines_of(filters, request.tenant.pk, request.user.pk), "contracts")


def lines_of(filters: ContractFilters, tenant_id: int, user_id: int) -> Iterator[Line]:
    def lines(rows: Sequence[Contract]) -> list[Line]:
        notes = dict(Terms.objects.filter(contract__in=rows).values_list("contract_id", "notes"))
        return [cells(row, notes.get(row.contract.pk, "")) for row in selectors.contract_rows(rows, filters)]

    return list_lines(
        COLUMNS,
        lambda: filters.rows(user_id).defer("payload", "search"),
        lines,
        tenant_id=tenant_id,
        order_by=filters.order_by,
    )


def cells(row: ContractRow, notes: str) -> Line:
    contract, terms = row.contract, row.terms or Terms()
    noted = (
        terms.ends_on,
        terms.renews_on,
        "yes" if terms.renews_itself else "no" if row.terms else "",
        terms.renewal_months,
        terms.notice_words,
        terms.owner.email if terms.owner else "",
        terms.governed_by_words or terms.governed_by,
        notes,
    )
    known = (contract.name, row.customer, contract.executed_on, terms.notice_on, contract.created_at.date())
    return (contract.external_id, *noted, *known, contract.platform_id)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def import_file(request: TenantRequest) -> HttpResponse:
    """Take a file with own fields and show what would come of each line. Nothing is changed by that."""
    form = ImportForm(request.POST, request.FILES) if request.method == "POST" else ImportForm()
    if not form.is_valid():
        context = {"form": form, "columns": READERS}
        return render(request, "contracts/import.html", context, status=422 if form.is_bound else 200)
    lines = validated(form.lines)
    good = [line for line in lines if not line.problem]
    context = {
        "filename": form.cleaned_data["file"].name,
        "lines": lines,
        "good": good,
        "bad": len(lines) - len(good),
        "confirmed": json.dumps([[line.number, line.external_id, line.cells] for line in good]),
    }
    return render(request, "contracts/import_ask.html", context)


@require_POST
@tenant_view(Role.ANALYST)
def start_import(request: TenantRequest) -> HttpResponse:
    """Note what was shown; every line is looked at again, since time has passed."""
    lines = validated(_confirmed(request.POST.get("lines", "")))
    number = services.apply_rows(lines, member=request.membership)
    left = sum(1 for line in lines if line.problem)
    words = f"{number} contract{'' if number == 1 else 's'} changed."
    if left:
        messages.warning(request, f"{words} {left} skipped because they changed or disappeared after the preview.")
    elif number:
        messages.success(request, words)
    else:
        messages.info(request, "Nothing to change: these values were already saved.")
    return redirect("contracts:list", slug=request.tenant.slug)


def _confirmed(text: str) -> list[ImportRow]:
    try:
        return [
            ImportRow(int(number), str(external_id), {str(name): str(cell) for name, cell in told.items() if name in READERS})
            for number, external_id, told in json.loads(text)
        ]
    except (ValueError, TypeError, AttributeError, RecursionError):
        return []
