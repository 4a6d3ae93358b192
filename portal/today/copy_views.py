from collections.abc import Iterable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from portal.tenants.access import TenantRequest, opened_memberships, tenant_view
from portal.tenants.copied_settings import CopiedSettings, NotCopied, copied_settings
from portal.tenants.models import Membership, Role
from portal.today.copies import copies_to, copy_to, describe_settings


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ADMIN)
def copy_settings(request: TenantRequest) -> HttpResponse:
    """Copy settings of this tenant to others of this person: what each would get is shown first."""
    known = copied_settings()
    wanted = request.GET.get("what", "")
    key = wanted if wanted in known else next(iter(known))
    settings, (opened, _) = known[key], opened_memberships(request)
    address = reverse("today:copy_settings", args=[request.tenant.slug])
    if request.method == "POST":
        _copy_to_chosen(request, settings, opened)
        return redirect(f"{address}?what={key}")
    copies = copies_to(settings, request.membership, opened)
    context = {
        "settings": settings,
        "given": describe_settings(settings, request.membership),
        "copies": copies,
        "has_plans": any(copy.plan for copy in copies),
        "tabs": [
            {"key": name, "label": each.label, "url": f"{address}?what={name}", "is_current": name == key}
            for name, each in known.items()
        ],
    }
    return render(request, "today/copy_settings.html", context)


def _copy_to_chosen(request: TenantRequest, settings: CopiedSettings, opened: Iterable[Membership]) -> None:
    by_slug = {each.tenant.slug: each for each in opened if each.may(Role.ADMIN)}
    done, refused = [], False
    for value in request.POST.getlist("chosen"):
        target = by_slug.get(value.partition(":")[0])
        if target is None or target.tenant_id == request.tenant.pk:
            continue
        try:
            copy_to(settings, request.membership, target, value=value)
        except NotCopied as refusal:
            refused = True
            messages.error(request, f"Not copied to {target.tenant}: {refusal}.")
        else:
            done.append(str(target.tenant))
    if done:
        messages.success(request, f"Copied to {', '.join(done)}.")
    elif not refused:
        messages.error(request, "Nothing copied. Select at least one tenant.")
