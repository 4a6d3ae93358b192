"""What the pages of the desk have in common."""

from django.contrib import messages
from django.http import HttpResponse
from django.utils import timezone

from portal.connections.error_messages import Refusal
from portal.documents.kinds import AREA
from portal.documents.refusals import refusal_for
from portal.page_refresh.services import area_version, is_unchanged, version_at
from portal.platform_api.errors import ValidationFailed
from portal.tenants.access import TenantRequest
from portal.trust_center.kinds import AREA as TRUST_CENTER
from portal.ui.platform_forms import PlatformForm


def page_version(request: TenantRequest) -> str:
    """Return the version of a page of the desk: it links controls of the Trust Center, and changes at midnight, too."""
    return version_at(
        area_version(AREA, TRUST_CENTER, "connection", "sync"), request.get_full_path(), timezone.localdate().isoformat()
    )


def unchanged(request: TenantRequest) -> HttpResponse | None:
    """Return the answer to a page that asks whether anything is new, while nothing is."""
    return HttpResponse(status=204) if request.htmx and is_unchanged(request, page_version(request)) else None


def refusal_on(form: PlatformForm, error: Exception, *, slug: str) -> Refusal | None:
    """Return what stands above a form that was refused; None where it stands beside a field."""
    is_shown = isinstance(error, ValidationFailed) and form.show_objections(error)
    return None if is_shown else refusal_for(error, slug=slug)


def say_refusal(request: TenantRequest, error: Exception) -> None:
    """Say on the next page why nothing was done."""
    refusal = refusal_for(error, slug=request.tenant.slug)
    messages.warning(request, f"{refusal.title}. {refusal.text}")
