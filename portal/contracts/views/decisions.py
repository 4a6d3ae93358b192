from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from portal.contracts import services
from portal.contracts.forms import OtherIdForm
from portal.contracts.models import Upload
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ANALYST)
def decide(request: TenantRequest, upload_id: int) -> HttpResponse:
    """Ask what becomes of a document whose external id is in use: the file is kept until somebody says."""
    upload = get_object_or_404(Upload.objects.select_related("contract"), pk=upload_id)
    if not upload.is_undecided:
        messages.info(request, "This upload no longer needs a decision.")
        return redirect("contracts:queue", slug=request.tenant.slug)
    if request.method == "POST" and request.POST.get("action") == "text":
        return _keep_as_text(request, upload)
    initial = {"external_id": services.free_id(upload.external_id)}
    form = OtherIdForm(request.POST) if request.method == "POST" else OtherIdForm(initial=initial)
    if form.is_valid():
        try:
            services.send_under(upload, form.cleaned_data["external_id"], member=request.membership)
        except services.NotPossible as reason:
            form.add_error("external_id", str(reason))
        else:
            messages.success(request, f"{upload} is on its way as {form.cleaned_data['external_id']}.")
            return redirect("contracts:list", slug=request.tenant.slug)
    context = {"upload": upload, "form": form}
    return render(request, "contracts/decide.html", context, status=422 if form.is_bound else 200)


def _keep_as_text(request: TenantRequest, upload: Upload) -> HttpResponse:
    try:
        contract = services.keep_as_text(upload, member=request.membership)
    except services.NotPossible as reason:
        messages.warning(request, f"No text was extracted. {reason}")
        return redirect("contracts:queue", slug=request.tenant.slug)
    messages.success(request, "Extracting the text. It will show up on this page automatically.")
    return redirect("contracts:detail", slug=request.tenant.slug, platform_id=contract.platform_id)
