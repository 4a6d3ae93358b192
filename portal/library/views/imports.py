import json
from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from portal.lib.counted import counted
from portal.library import services
from portal.library.forms import REPLACE, ImportForm
from portal.library.import_rows import MAX_LINES, ImportRow, validated
from portal.library.services import EntryContent, ImportedEntry
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def import_file(request: TenantRequest) -> HttpResponse:
    """Take a file of entries and show what would come of each line. Nothing is stored by that."""
    form = ImportForm(request.POST, request.FILES) if request.method == "POST" else ImportForm()
    if not form.is_valid():
        return render(request, "library/import.html", {"form": form}, status=422 if form.is_bound else 200)
    same = form.cleaned_data["same"]
    lines = validated(form.lines, replaces=same == REPLACE)
    good = [line for line in lines if line.is_good]
    context = {
        "filename": form.cleaned_data["file"].name,
        "same": same,
        "lines": lines,
        "new": sum(line.entry is None for line in good),
        "changed": sum(line.entry is not None for line in good),
        "left_out": len(lines) - len(good),
        "confirmed": json.dumps([[line.number, line.cells] for line in good], ensure_ascii=False),
    }
    return render(request, "library/import_ask.html", context)


@require_POST
@tenant_view(Role.ANALYST)
def start_import(request: TenantRequest) -> HttpResponse:
    """Store what was shown; every line is looked at again, since time has passed."""
    confirmed = _confirmed(request.POST.get("lines", ""))
    lines = validated(confirmed, replaces=request.POST.get("same") == REPLACE)
    good = [line for line in lines if line.is_good]
    if not good:
        messages.info(request, "There is nothing to import.")
        return redirect("library:import", slug=request.tenant.slug)
    services.import_entries([_imported(line) for line in good], member=request.membership)
    messages.success(request, _outcome(good, len(lines) - len(good)))
    return redirect("library:list", slug=request.tenant.slug)


def _confirmed(text: str) -> list[ImportRow]:
    try:
        lines = [
            ImportRow(int(number), {str(name): str(cell) for name, cell in cells.items()}) for number, cells in json.loads(text)
        ]
    except (ValueError, TypeError, AttributeError, RecursionError):
        return []
    return lines[:MAX_LINES]


def _imported(line: ImportRow) -> ImportedEntry:
    values: dict[str, Any] = dict(line.values)
    review_on = values.pop("review_on")
    # A file says nothing of the other ways to ask: they stay, and so does the question as it was written first.
    variants = [(each.question, each.is_reversed) for each in line.entry.variants.all()] if line.entry else []
    question = line.entry.question if line.entry else line.question
    return ImportedEntry(EntryContent(question=question, variants=variants, **values), review_on, line.entry)


def _outcome(good: Sequence[ImportRow], left_out: int) -> str:
    new = sum(line.entry is None for line in good)
    done = [f"{counted(new, 'entry', 'entries')} added"] if new else []
    done += [f"{counted(len(good) - new, 'entry', 'entries')} updated"] if len(good) > new else []
    done += [f"{counted(left_out, 'line')} skipped"] if left_out else []
    return f"{', '.join(done)}."
