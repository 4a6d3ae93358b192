"""What is on the connection page, whichever form of it was refused."""

from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import date_format

from portal.audit.services import history
from portal.connections import forms, selectors, services
from portal.connections.models import Connection, Region, State
from portal.connections.services import alarms, exit_records
from portal.connections.services.platform import api_url
from portal.page_refresh.services import area_version
from portal.tenants.access import TenantRequest
from portal.tenants.models import Role
from portal.users.dates import in_form

AREAS = ("connection", "sync")


def connection_page(request: TenantRequest, *, status: int = 200, **extra: Any) -> HttpResponse:
    """Answer with the page, or with its live part when the open page asks for it."""
    is_piece = request.htmx and request.method == "GET"
    template = "connections/connection.html#status" if is_piece else "connections/connection.html"
    return render(request, template, _page(request) | extra, status=status)


def _page(request: TenantRequest) -> dict[str, Any]:
    connection, is_configured = services.connection_of_tenant(), bool(settings.PLATFORM_CLIENT_ID)
    has_ended = connection is not None and connection.state == State.NEEDS_RECONNECTION and not connection.client_id
    return {
        # Before what it is the version of, also where a form was refused.
        "page_version": area_version(*AREAS),
        **_state(connection),
        "connect_form": forms.ConnectForm(initial={"region": connection.region if connection else None}),
        "own_form": forms.OwnApplicationForm(prefix="own", initial={"region": connection.region if connection else None}),
        "secret_form": forms.SecretForm(),
        "disconnect_form": forms.DisconnectForm(tenant=request.tenant, connection=connection),
        "delete_form": forms.DeleteTenantForm(tenant=request.tenant, prefix="delete"),
        "trust_center_form": forms.TrustCenterForm(initial={"slug_id": connection.slug_id if connection else ""}),
        "may_check": request.membership.may(Role.ANALYST),
        "is_configured": is_configured,
        "is_own_needed": has_ended and not is_configured,
        "may_connect": request.membership.may(Role.OWNER),
        "may_change": request.membership.may(Role.ADMIN),
        "records": exit_records.records(),
    }


def _state(connection: Connection | None) -> dict[str, Any]:
    areas = selectors.areas()
    region = connection.region if connection else Region.US
    url = api_url(region)
    trouble = alarms.trouble_of(url) if connection and not connection.is_own_application else ""
    is_locked = bool(connection and services.is_locked(connection))
    token, token_at = "", None
    if connection:
        token, token_at = selectors.token_words(connection, now=timezone.now(), is_locked=is_locked)
    return {
        "connection": connection,
        "usage": selectors.usage(url, [each for each in Region if api_url(each) == url]),
        "trouble": alarms.WORDS.get(trouble, ""),
        "is_locked": is_locked,
        "words": selectors.state_words(connection, is_locked=is_locked),
        "token": token,
        "token_at": token_at,
        "purge_words": _purge_words(connection),
        "areas": areas,
        "refused_areas": [area for area in areas if area.tone == "bad"],
        "ending": selectors.ending(connection),
        "history": history("connection", str(connection.source_id)) if connection else [],
    }


def _purge_words(connection: Connection | None) -> str:
    if connection is None or connection.purge_at is None:
        return ""
    day = date_format(timezone.localtime(connection.purge_at), in_form("j F Y"))
    return f"On {day}. Reconnecting before then keeps everything."
