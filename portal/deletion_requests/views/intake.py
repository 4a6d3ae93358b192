from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from portal.deletion_requests import selectors, services
from portal.deletion_requests.file_intake import COLUMNS, MAX_LINES, read_lines, valid_requests
from portal.deletion_requests.forms import FileForm, RequestForm, RowsForm
from portal.deletion_requests.models import new_reference
from portal.deletion_requests.views.rendering import render_unstored
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

PAGE = ["GET", "HEAD", "POST"]


@sensitive_post_parameters("email")
@require_http_methods(PAGE)
@tenant_view(Role.ANALYST)
@sensitive_variables("form")
def receive(request: TenantRequest) -> HttpResponse:
    """Take a request in by hand. The next page is where somebody looks at it before anything is sent."""
    if request.method != "POST":
        return render_unstored(request, "receive.html", {"form": RequestForm(initial=usual_request())})
    form = RequestForm(request.POST)
    if not form.is_valid():
        return render_unstored(request, "receive.html", {"form": form}, status=422)
    try:
        row = services.receive(form.new_request(), reference=form.cleaned_data["reference"], member=request.membership)
    except services.AlreadyOpen as found:
        messages.info(request, "This is the open request for this address. Nothing was added.")
        row = found.row
    page = "review" if row.is_received else "detail"
    return redirect(f"deletion_requests:{page}", slug=request.tenant.slug, reference=row.reference)


def usual_request() -> dict[str, object]:
    """What a form begins with: the tenant's clock, and the name that its request will have."""
    usual = selectors.desk_settings()
    return {"regulation": usual.regulation, "own_days": usual.own_days, "reference": new_reference()}


@require_http_methods(PAGE)
@tenant_view(Role.ANALYST)
@sensitive_variables("form", "text", "lines")
def read_file(request: TenantRequest) -> HttpResponse:
    """Choose a file; posting shows what would come of each line. Nothing is taken in and nothing is kept."""
    form = FileForm(request.POST, request.FILES) if request.method == "POST" else FileForm()
    context = {"form": form, "columns": COLUMNS, "most": MAX_LINES, "usual": selectors.desk_settings()}
    if not form.is_valid():
        return render(request, "deletion_requests/file.html", context, status=422 if form.is_bound else 200)
    return show_lines(request, form.cleaned_data["file"])


@sensitive_post_parameters("text")
@require_POST
@tenant_view(Role.ANALYST)
@sensitive_variables("form", "lines", "rows")
def receive_file(request: TenantRequest) -> HttpResponse:
    """Take in the lines that the dry run found to be good; they are read anew."""
    form = RowsForm(request.POST)
    if not form.is_valid():
        messages.warning(request, "The form was not complete. Nothing was added. Start again.")
        return redirect("deletion_requests:read_file", slug=request.tenant.slug)
    lines, _ = read_lines(form.cleaned_data["text"], usual=selectors.desk_settings(), today=timezone.localdate())
    rows = services.receive_many(valid_requests(lines), member=request.membership)
    left_out = len(lines) - len(rows)
    words = f"Added {len(rows)} request{'' if len(rows) == 1 else 's'}."
    messages.success(request, f"{words} {left_out} skipped." if left_out else words)
    return redirect("deletion_requests:list", slug=request.tenant.slug)


def show_lines(request: TenantRequest, text: str) -> HttpResponse:
    lines, has_more = read_lines(text, usual=selectors.desk_settings(), today=timezone.localdate())
    context = {
        "lines": lines,
        "valid_count": len(valid_requests(lines)),
        "has_more": has_more,
        "most": MAX_LINES,
        "form": RowsForm(initial={"text": text}),
    }
    return render_unstored(request, "file_lines.html", context)
