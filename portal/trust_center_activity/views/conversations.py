from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET, require_POST

from portal.lib.keyset import keyset_page
from portal.lib.spreadsheets import csv_answer
from portal.page_refresh.services import area_version, is_unchanged
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role
from portal.trust_center_activity import display_names, selectors, services
from portal.trust_center_activity.filters import ConversationFilters
from portal.trust_center_activity.models import CONVERSATION, Conversation
from portal.trust_center_activity.pages import AREAS, LIST, PANE, ConversationPage
from portal.ui.list_export import Line, list_lines

ORDER = ("-created_at", "-id")
COLUMNS = ("Id", "Started", "First question", "Email", "Email domain", "Messages")


@require_GET
@tenant_view(Role.VIEWER)
def conversation_list(request: TenantRequest) -> HttpResponse:
    """What visitors asked the chatbot. The list on the page polls this same address while it is open."""
    return show(request, None)


@require_GET
@tenant_view(Role.VIEWER)
def conversation(request: TenantRequest, platform_id: str) -> HttpResponse:
    """One conversation in the pane beside the list."""
    return show(request, get_object_or_404(Conversation, platform_id=platform_id))


def show(request: TenantRequest, found: Conversation | None) -> HttpResponse:
    """Draw the list, with the conversation that is open beside it; for htmx the fragment that it asked for."""
    list_page = ConversationPage(request, found)
    list_version = list_page.page_version(area_version(*AREAS), fragment=LIST)
    pane_version = list_page.page_version(area_version("trust_center_activity"), fragment=PANE)
    seen = {LIST: list_version, PANE: pane_version}.get(list_page.fragment)
    if seen and is_unchanged(request, seen):
        return HttpResponse(status=204)
    context: dict[str, Any] = {"list_page": list_page, "page_version": list_version, "pane_version": pane_version}
    if list_page.fragment != PANE:
        context |= list_context(request)
    if found:
        context |= {
            "selected": found,
            "messages_of": selectors.messages_of(found),
            "asked_about": selectors.words_asked_in(found),
            "who": display_names.domain_names([found.domain])[found.domain],
        }
    return render(request, f"trust_center_activity/conversations.html{list_page.fragment and '#'}{list_page.fragment}", context)


def list_context(request: TenantRequest) -> dict[str, Any]:
    filters = ConversationFilters.read(request.GET)
    rows = filters.rows().defer("payload", "search")
    page = keyset_page(rows, order_by=ORDER, cursor=request.GET.get("cursor"))
    return {
        "filters": filters,
        "page": page,
        "has_any": bool(page) or Conversation.objects.present().exists(),
        "readiness": readiness(CONVERSATION, needs_trust_center=True),
    }


@require_POST
@tenant_view(Role.ANALYST)
def conversation_export(request: TenantRequest) -> StreamingHttpResponse:
    """Exactly the filtered conversations as a file. A POST: that it was taken is written down (guarantee S8)."""
    filters = ConversationFilters.read(request.GET)
    services.note_conversation_export(filters.query(), member=request.membership)
    lines = list_lines(
        COLUMNS,
        lambda: filters.rows().defer("payload", "search"),
        lambda page: map(cells, page),
        tenant_id=request.tenant.pk,
        order_by=ORDER,
    )
    return csv_answer(lines, "conversations")


def cells(row: Conversation) -> Line:
    began = row.created_at.isoformat(timespec="seconds")
    return (row.platform_id, began, row.first_message, row.email, row.domain, row.number_of_messages)
