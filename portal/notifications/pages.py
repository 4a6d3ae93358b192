"""The list of notifications, of one tenant or of all that a person is in."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from portal.lib.keyset import KeysetPage
from portal.notifications.models import Notification
from portal.users.requests import SignedInRequest

UNREAD = "unread"


def is_of_unread(request: SignedInRequest) -> bool:
    return request.GET.get("tab") == UNREAD


def show_list(request: SignedInRequest, page: KeysetPage[Notification], *, unread: str, page_version: str) -> HttpResponse:
    """Show a page of the list, or the part of it that polls."""
    is_unread = is_of_unread(request)
    tabs: list[dict[str, Any]] = [
        {"label": "All", "url": "?", "is_current": not is_unread},
        {"label": "Unread", "url": f"?tab={UNREAD}", "count": unread or 0, "is_current": is_unread},
    ]
    context = {"page": page, "tabs": tabs, "is_unread": is_unread, "has_unread": bool(unread), "page_version": page_version}
    return render(request, f"notifications/list.html{'#list' if request.htmx else ''}", context)
