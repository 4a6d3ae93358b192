from collections.abc import Callable

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from portal.connections.error_messages import Refusal
from portal.documents import services
from portal.documents.forms import LinkForm, UploadForm
from portal.documents.kinds import DOCUMENT
from portal.documents.models import Document, Link, Upload, UploadAttempt
from portal.documents.refusals import REFUSALS
from portal.documents.services.writes import REMOVER
from portal.documents.views.rendering import refusal_on, say_refusal
from portal.lib.fetched_files import file_to_save
from portal.platform_writes.outcomes import OutcomeUnknown
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def upload(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Upload a file to a document. What was refused is said on the page, with everything that was typed."""
    found = get_object_or_404(Document.objects.present(), platform_id=platform_id)
    data = (request.POST, request.FILES) if request.method == "POST" else ()
    form = UploadForm(*data, document=found)
    if not form.is_valid():
        return show_form(request, "upload", form)
    try:
        services.upload_file(found, form.new_file, member=request.membership)
    except OutcomeUnknown as error:
        # Its page says what is being checked; the form would invite to send it once more.
        say_refusal(request, error)
    except REFUSALS as error:
        return show_form(request, "upload", form, refusal=refusal_on(form, error, slug=request.tenant.slug))
    else:
        messages.success(request, f"Uploaded to the platform: {form.new_file.name}")
    return redirect("documents:document", slug=request.tenant.slug, platform_id=platform_id)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def new_link(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Add a link to a document. What was refused is said on the page, with everything that was typed."""
    found = get_object_or_404(Document.objects.present(), platform_id=platform_id)
    form = LinkForm(request.POST if request.method == "POST" else None, document=found)
    if not form.is_valid():
        return show_form(request, "new_link", form)
    link = form.new_link
    try:
        services.add_link(found, link, member=request.membership)
    except REFUSALS as error:
        return show_form(request, "new_link", form, refusal=refusal_on(form, error, slug=request.tenant.slug))
    messages.success(request, f"Link added: {link.title}")
    return redirect("documents:document", slug=request.tenant.slug, platform_id=platform_id)


def show_form(
    request: TenantRequest, page: str, form: UploadForm | LinkForm, *, refusal: Refusal | None = None
) -> HttpResponse:
    context = {
        "form": form,
        "document": form.document,
        "refusal": refusal,
        "is_connected": readiness(DOCUMENT).is_connected,
    }
    return render(request, f"documents/{page}.html", context, status=422 if form.is_bound else 200)


@require_POST
@tenant_view(REMOVER)
def delete_file(request: TenantRequest, platform_id: str, key: int) -> HttpResponse:
    found = get_object_or_404(files_of(platform_id), pk=key)
    said = f"File deleted: {found}"
    return act_and_return(request, platform_id, said, lambda: services.delete_file(found, member=request.membership))


@require_POST
@tenant_view(REMOVER)
def remove_link(request: TenantRequest, platform_id: str, key: int) -> HttpResponse:
    rows = Link.objects.select_related("document").filter(document__platform_id=platform_id, document__gone_at=None)
    found = get_object_or_404(rows, pk=key)
    said = f"Link removed: {found}"
    return act_and_return(request, platform_id, said, lambda: services.remove_link(found, member=request.membership))


@require_POST
@tenant_view(Role.ANALYST)
def dismiss_upload(request: TenantRequest, platform_id: str, key: int) -> HttpResponse:
    found = get_object_or_404(UploadAttempt.objects.filter(document__platform_id=platform_id), pk=key)
    services.dismiss_upload(found, member=request.membership)
    return redirect("documents:document", slug=request.tenant.slug, platform_id=platform_id)


def act_and_return(request: TenantRequest, platform_id: str, said: str, act: Callable[[], object]) -> HttpResponse:
    """Do what a button of a document asks for, and say on its page what came of it."""
    try:
        act()
    except REFUSALS as error:
        say_refusal(request, error)
    else:
        messages.success(request, said)
    return redirect("documents:document", slug=request.tenant.slug, platform_id=platform_id)


@require_POST
@tenant_view(Role.VIEWER)
def download(request: TenantRequest, platform_id: str, key: int) -> HttpResponseBase:
    """A file of a document. By POST: it spends a call of the tenant's minute and leaves a line in the history."""
    found = get_object_or_404(files_of(platform_id), pk=key)
    try:
        file = services.fetch_file(found, member=request.membership)
    except REFUSALS as error:
        say_refusal(request, error)
        return redirect("documents:document", slug=request.tenant.slug, platform_id=platform_id)
    return file_to_save(file.content, file.name)


def files_of(platform_id: str) -> QuerySet[Upload]:
    """Return the files of a document that can be fetched or deleted."""
    rows = Upload.objects.present().select_related("document")
    return rows.filter(document__platform_id=platform_id, document__gone_at=None)
