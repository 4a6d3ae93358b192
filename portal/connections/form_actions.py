"""What a form about the connection does once it is sent, on whichever page it stands."""

from django.contrib import messages

from portal.connections import selectors, services
from portal.connections.error_messages import in_time
from portal.connections.forms import ConnectForm, TrustCenterForm
from portal.connections.selectors.refusals import Refusal
from portal.connections.tasks import PROBE
from portal.lib.enqueue import enqueue_on_commit
from portal.tenants.access import TenantRequest


def start_consent(request: TenantRequest, form: ConnectForm) -> services.ConnectStart:
    """Begin a walk to the consent screen for a form that was valid."""
    if request.session.session_key is None:
        request.session.save()
    return services.start_connect(
        user=request.user, region=form.cleaned_data["region"], session_key=request.session.session_key or ""
    )


def held_back(start: services.ConnectStart) -> Refusal | None:
    """Say why the person cannot go to the consent screen just now; None when they can."""
    return selectors.held_back(start.reason, in_time(start.wait_seconds)) if start.wait_seconds else None


def save_trust_center(request: TenantRequest, form: TrustCenterForm) -> bool:
    """Save the id of the Trust Center and have its areas asked; False when the form has to be shown again."""
    if not form.is_valid():
        return False
    try:
        is_verified = services.set_slug_id(form.cleaned_data["slug_id"], actor=request.user)
    except services.UnknownTrustCenter:
        form.add_error("slug_id", "The platform has no Trust Center with this id in your account.")
        return False
    enqueue_on_commit(PROBE, request.tenant.pk)
    words = "Verified." if is_verified else "Saved; the platform could not confirm it just now."
    connection = services.connection_of_tenant()
    if connection is not None and connection.is_active:
        words = f"{words} The Trust Center's requests and viewers are being fetched."
    messages.success(request, words)
    return True
