from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.lib.keyset import keyset_page
from portal.platform_writes.outcomes import OutcomeUnknown
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.trust_center import selectors, services
from portal.trust_center.filters import BY_ADDRESS, SubscriberFilters
from portal.trust_center.kinds import SUBSCRIBER
from portal.trust_center.models import Subscriber
from portal.trust_center.refusals import REFUSALS, Refusal, refusal_for
from portal.trust_center.services.writes import PUBLISHER
from portal.trust_center.update_forms import GroupsForm, SubscriberForm
from portal.trust_center.views.rendering import act_and_return, refusal_on, row_to_edit, show_list, unchanged

LIST = "trust_center:subscribers"


@require_GET
@tenant_view(Role.VIEWER)
def subscriber_list(request: TenantRequest) -> HttpResponse:
    """Who is told of updates. The list on the page polls this same address while it is open."""
    if answer := unchanged(request):
        return answer
    filters = SubscriberFilters.read(request.GET)
    rows = filters.rows().defer("payload", "search")
    page = keyset_page(rows, order_by=BY_ADDRESS, cursor=request.GET.get("cursor"))
    names = selectors.group_names(page.rows)
    return show_list(
        request,
        "subscribers",
        SUBSCRIBER,
        filters=filters,
        page=page,
        rows=[(row, names.get(row.pk, []), f"remove-{row.pk}", f"Remove {row}?") for row in page.rows],
        is_publisher=request.membership.may(PUBLISHER),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(PUBLISHER)
def new_subscriber(request: TenantRequest) -> HttpResponse:
    """Add a subscriber. What was refused is said on the page, with everything that was typed."""
    form = SubscriberForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return show_form(request, form)
    try:
        services.add_subscriber(form.address, form.group_ids, member=request.membership)
    except services.GroupsNotSet as error:
        refusal = refusal_for(error.reason, slug=request.tenant.slug)
        groups = f"The groups could not be set: {refusal.title}."
        if isinstance(error.reason, OutcomeUnknown):
            groups = "We could not confirm its groups and are checking."
        messages.warning(request, f"Subscriber added. {groups}")
        return redirect("trust_center:subscriber_groups_of", slug=request.tenant.slug, platform_id=error.platform_id)
    except REFUSALS as error:
        return show_form(request, form, refusal=refusal_on(form, error, slug=request.tenant.slug))
    messages.success(request, "Subscriber added. The platform asks them to confirm the address.")
    return redirect(LIST, slug=request.tenant.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(PUBLISHER)
def subscriber_groups_of(request: TenantRequest, platform_id: str) -> HttpResponse:
    """Choose the groups of a subscriber. What was refused is said on the page, with everything that was chosen."""
    found = row_to_edit(request, Subscriber, platform_id)
    form = GroupsForm(request.POST if request.method == "POST" else None, subscriber=found)
    if not form.is_valid():
        return show_form(request, form, subscriber=found)
    try:
        services.set_groups(found, form.group_ids, seen=form.cleaned_data["seen"], member=request.membership)
    except services.ChangedMeanwhile as error:
        return show_changed(request, found, refusal_for(error, slug=request.tenant.slug))
    except REFUSALS as error:
        refusal = refusal_on(form, error, slug=request.tenant.slug)
        return show_form(request, form, subscriber=found, refusal=refusal)
    messages.success(request, "Groups saved on the platform.")
    return redirect(LIST, slug=request.tenant.slug)


def show_changed(request: TenantRequest, subscriber: Subscriber, refusal: Refusal) -> HttpResponse:
    """Show in which groups a subscriber is now above what the person chose; saved again, that replaces it."""
    data = request.POST.copy()
    data["seen"] = GroupsForm(subscriber=subscriber).version
    now = selectors.group_names([subscriber]).get(subscriber.pk, [])
    return show_form(request, GroupsForm(data, subscriber=subscriber), subscriber=subscriber, refusal=refusal, now=now)


def show_form(
    request: TenantRequest,
    form: GroupsForm,
    *,
    subscriber: Subscriber | None = None,
    refusal: Refusal | None = None,
    now: list[str] | None = None,
) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "subscriber": subscriber,
        "refusal": refusal,
        "now": now,
        "is_connected": readiness(SUBSCRIBER).is_connected,
        "has_groups": bool(form.fields["groups"].choices),  # type: ignore[attr-defined]
    }
    return render(request, "trust_center/subscriber_form.html", context, status=422 if form.is_bound else 200)


@require_POST
@tenant_view(PUBLISHER)
def remove_subscriber(request: TenantRequest, platform_id: str) -> HttpResponse:
    found = get_object_or_404(Subscriber.objects.present(), platform_id=platform_id)
    return act_and_return(
        request, LIST, "Subscriber removed.", lambda: services.remove_subscriber(found, member=request.membership)
    )
