"""What the webhooks page shows, put together for its template."""

from django.urls import reverse
from django.utils import timezone

from portal.inbox import selectors, services
from portal.inbox.forms import ReplayForm, SecretForm
from portal.inbox.models import Delivery, DeliveryState, Endpoint
from portal.lib.keyset import keyset_page
from portal.tenants.access import TenantRequest
from portal.tenants.models import Role


def webhooks_page(request: TenantRequest, seen: str, *, refused: SecretForm | None = None) -> dict[str, object]:
    """Give the context of the page; `refused` is a secret that was not taken."""
    endpoints = services.ensure_endpoints()
    may_change = request.membership.may(Role.ADMIN)
    feed = selectors.feed(endpoints)
    state, text = _state(request), request.GET.get("q", "")
    rows = Delivery.objects.in_state(state).filter(selectors.found(text)).defer("body")
    return {
        "feed": feed,
        "deliveries": keyset_page(rows, order_by=["-id"], cursor=request.GET.get("cursor")),
        "tabs": _tabs(request, feed, state),
        "q": text,
        "rotations": selectors.rotations(endpoints),
        "state": state,
        "hidden": [("state", state)] if state else [],
        "nothing_found": _nothing_found(text),
        # The addresses are half of the secret: who only reads is not shown them.
        "addresses": [_address(endpoint, refused) for endpoint in endpoints] if may_change else [],
        "single_types_in_use": any(
            each.has_secret or (refused is not None and refused.endpoint.pk == each.pk) for each in endpoints if each.event_type
        ),
        "may_change": may_change,
        "replay_form": ReplayForm(prefix="replay"),
        "page_version": seen,
    }


def _address(endpoint: Endpoint, refused: SecretForm | None) -> dict[str, object]:
    is_refused = refused is not None and refused.endpoint.pk == endpoint.pk
    return {
        "endpoint": endpoint,
        "key": str(endpoint.pk),
        "state": selectors.valid_secrets(endpoint),
        "accepts_previous": endpoint.accepts_previous(timezone.now()),
        "form": refused if is_refused else SecretForm(endpoint=endpoint),
        "is_open": is_refused,
    }


def _nothing_found(text: str) -> str:
    if not text:
        return "No deliveries in this state."
    return f"No id is exactly “{text[:100]}”, and none of the latest {selectors.SEARCHED:,} deliveries contains it."


def _state(request: TenantRequest) -> str:
    state = request.GET.get("state", "")
    return state if state in DeliveryState.values else ""


def _tabs(request: TenantRequest, feed: selectors.Feed, current: str) -> list[dict[str, object]]:
    address = reverse("inbox:webhooks", args=[request.tenant.slug])
    counts = feed.tabs()
    tabs: list[dict[str, object]] = [{"label": "All", "url": address, "count": counts[""], "is_current": not current}]
    for state in DeliveryState:
        url = reverse("inbox:webhooks", args=[request.tenant.slug], query={"state": state.value})
        tabs.append({"label": state.label, "url": url, "count": counts[state], "is_current": current == state})
    return tabs
