from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.deletion_requests import selectors, services
from portal.deletion_requests.forms import ConfirmationForm, IdentityForm, RequestForm, SendForm
from portal.deletion_requests.models import DeletionRequest, Identity
from portal.deletion_requests.services import NotConnected
from portal.deletion_requests.views.intake import usual_request
from portal.deletion_requests.views.rendering import NOT_CONNECTED, find_row, render_unstored
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

BEING_SENT = "This request is being processed or is already finished."
CARRIED_OVER = ("email", "reference", "received_on", "regulation", "own_days", "note")


@sensitive_post_parameters("email")
@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.APPROVER)
@sensitive_variables("form", "typed")
def new(request: TenantRequest) -> HttpResponse:
    """Ask whose data; posting shows what would be erased. Not a redirect: the address must not get into one."""
    if request.method != "POST":
        context = {"form": RequestForm(initial=usual_request()), "is_connected": selectors.is_connected()}
        return render_unstored(request, "new.html", context)
    form = RequestForm(request.POST)
    if not form.is_valid():
        return render_unstored(request, "new.html", {"form": form, "is_connected": selectors.is_connected()}, status=422)
    typed = {name: form.cleaned_data[name] for name in CARRIED_OVER}
    return show_confirmation(request, typed["email"], ConfirmationForm(initial=typed))


@sensitive_post_parameters("email", "again")
@require_POST
@tenant_view(Role.APPROVER)
@sensitive_variables("form", "email", "cleaned")
def submit(request: TenantRequest) -> HttpResponse:
    """Erase. What cannot be done is said on the page with the person's input still in it."""
    form = ConfirmationForm(request.POST)
    is_complete = form.is_valid()
    cleaned = form.cleaned_data
    if not {"email", "reference", "received_on", "regulation", "own_days"} <= set(cleaned):
        messages.warning(request, "The form was not complete. Nothing was sent. Start again.")
        return redirect("deletion_requests:new", slug=request.tenant.slug)
    email = cleaned["email"]
    if not is_complete:
        return show_confirmation(request, email, form, status=422)
    said = {"reference": cleaned["reference"], "identity_note": cleaned["identity_note"]}
    try:
        row = services.submit(form.new_request(), member=request.membership, **said)
    except NotConnected:
        return show_confirmation(request, email, form, status=422)
    except services.AlreadyOpen as found:
        messages.info(request, "An open request for this address already existed. Nothing was sent a second time.")
        row = found.row
    return redirect("deletion_requests:detail", slug=request.tenant.slug, reference=row.reference)


def show_confirmation(request: TenantRequest, email: str, form: ConfirmationForm, *, status: int = 200) -> HttpResponse:
    context = {"preview": selectors.preview(email), "form": form, "is_connected": selectors.is_connected()}
    return render_unstored(request, "confirm.html", context, status=status)


@require_GET
@tenant_view(Role.ANALYST)
def review(request: TenantRequest, reference: str) -> HttpResponse:
    """What is known about a person who asked, and who has checked that it is them: the step before sending."""
    row = find_row(reference)
    if not row.is_received:
        return redirect("deletion_requests:detail", slug=request.tenant.slug, reference=reference)
    return show_review(request, row)


@require_POST
@tenant_view(Role.ANALYST)
def note_identity(request: TenantRequest, reference: str) -> HttpResponse:
    """Keep what came of the check; if it failed, the request is closed."""
    row, form = find_row(reference), IdentityForm(request.POST)
    if row.is_received and not form.is_valid():
        return show_review(request, row, form, status=422)
    page = "detail"
    try:
        if form.is_valid():
            row = services.note_identity(row, member=request.membership, **form.cleaned_data)
            page = "review" if row.is_received else "detail"
            messages.success(request, "Identity check saved." if row.is_received else "Closed. Nothing was erased.")
    except services.NotWaiting:
        messages.info(request, "This request was sent or closed in the meantime. Nothing was saved.")
    return redirect(f"deletion_requests:{page}", slug=request.tenant.slug, reference=reference)


@sensitive_post_parameters("again")
@require_POST
@tenant_view(Role.APPROVER)
@sensitive_variables("form")
def send(request: TenantRequest, reference: str) -> HttpResponse:
    """Send a request that was taken in, and erase, once its address was typed again."""
    row = find_row(reference)
    form = SendForm(request.POST, email=row.email)
    if row.is_received and row.identity == Identity.CONFIRMED and not form.is_valid():
        return show_review(request, row, send_form=form, status=422)
    try:
        services.send(row, member=request.membership)
    except NotConnected:
        messages.error(request, NOT_CONNECTED)
    except services.IdentityOpen:
        messages.warning(request, "Nothing was sent. Record how the identity was checked first.")
        return redirect("deletion_requests:review", slug=request.tenant.slug, reference=reference)
    except services.BeingSent:
        messages.info(request, f"Nothing was sent. {BEING_SENT}")
    return redirect("deletion_requests:detail", slug=request.tenant.slug, reference=reference)


@require_POST
@tenant_view(Role.APPROVER)
def retry(request: TenantRequest, reference: str) -> HttpResponse:
    row = find_row(reference)
    try:
        services.ask_again(row, member=request.membership)
    except NotConnected:
        messages.error(request, NOT_CONNECTED)
    except services.BeingSent:
        messages.info(request, f"Nothing was sent. {BEING_SENT}")
    return redirect("deletion_requests:detail", slug=request.tenant.slug, reference=reference)


@require_POST
@tenant_view(Role.APPROVER)
def close(request: TenantRequest, reference: str) -> HttpResponse:
    row = find_row(reference)
    try:
        row = services.close(row, member=request.membership)
        messages.success(request, f"Closed. Nothing was erased{' here' if row.is_in_doubt else ''}.")
    except services.BeingSent:
        messages.info(request, f"Not closed. {BEING_SENT}")
    return redirect("deletion_requests:detail", slug=request.tenant.slug, reference=reference)


def show_review(
    request: TenantRequest,
    row: DeletionRequest,
    form: IdentityForm | None = None,
    *,
    send_form: SendForm | None = None,
    status: int = 200,
) -> HttpResponse:
    known = {"outcome": _usual_outcome(row), "note": row.identity_note}
    forms = {"form": form or IdentityForm(initial=known), "send_form": send_form or SendForm(email=row.email)}
    context = selectors.before_sending(row, request.membership) | forms
    return render_unstored(request, "review.html", context, status=status)


def _usual_outcome(row: DeletionRequest) -> str:
    return "" if row.identity == Identity.UNCHECKED else row.identity
