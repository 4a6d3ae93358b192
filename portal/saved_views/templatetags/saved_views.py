"""The saved views above a list, and the menu that saves another one."""

from typing import Any

from django import template
from django.template.context import RequestContext

from portal.page_refresh.services import cached_by_version
from portal.saved_views.forms import ViewForm
from portal.saved_views.lists import registered
from portal.saved_views.models import SavedView
from portal.tenants.models import Role
from portal.ui.list_filters import ListFilters

register = template.Library()


@register.inclusion_tag("saved_views/_chips.html", takes_context=True)
def saved_views(context: RequestContext, key: str, filters: ListFilters) -> dict[str, Any]:
    """Show the views of a list as chips; nothing while there are none."""
    request, query, page = context["request"], filters.query().removeprefix("?"), registered(key)
    seen = SavedView.objects.seen_by(request.user).filter(list_key=key)
    views = cached_by_version(page.area, f"views:{key}:{request.user.pk}", lambda: list(seen))
    rows = [(view, page.url(request.tenant.slug, view.query), view.query == query) for view in views]
    return {"request": request, "views": rows}


@register.inclusion_tag("saved_views/_tools.html", takes_context=True)
def list_tools(context: RequestContext, key: str, filters: ListFilters, export_url: str = "") -> dict[str, Any]:
    """Show what analysts do with the filters in force: keep them, and have exactly those rows as a file."""
    request = context["request"]
    member = request.membership
    return {
        "request": request,
        "csrf_token": context["csrf_token"],
        "key": key,
        "query": filters.query(),
        "export_url": export_url,
        "form": ViewForm(auto_id=f"view-of-{key}-%s"),
        "may_save": member.may(Role.ANALYST),
        "may_share": member.may(Role.ADMIN),
    }
