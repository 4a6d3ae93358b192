"""Pages of names that group something: categories of FAQs, groups of subscribers. Each says in `Grouping` what differs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from portal.lib.keyset import keyset_page
from portal.sync.readiness import readiness
from portal.tenants.access import TenantRequest
from portal.tenants.models import Role
from portal.trust_center.filters import BY_NAME
from portal.trust_center.forms import CategoryForm


@dataclass(frozen=True, kw_only=True)
class Grouping:
    """One page: what is grouped, by what, who may change it, and how the page words it."""

    kind: str
    model: type[Any]
    changer: Role
    title: str
    lead: str
    label: str
    """What one group is called, in lower case."""
    of_name: str
    """The address of the list of what is grouped."""
    of_title: str
    of_parameter: str
    """The filter of that list which shows one group."""
    counts: Callable[[], Mapping[str, int]]
    remainder: Callable[[int], str]
    """Says what becomes of so many when their group is deleted."""
    add_name: str
    rename_name: str
    rename_text: str
    delete_name: str
    empty_text: str


def show_groups(request: TenantRequest, grouping: Grouping) -> HttpResponse:
    """Draw the groups, each with what can be done with it."""
    rows = grouping.model.objects.present()
    page = keyset_page(rows, order_by=BY_NAME, cursor=request.GET.get("cursor"))
    slug, counts = request.tenant.slug, grouping.counts()
    context = {
        "page": page,
        "grouping": grouping,
        "of_url": reverse(grouping.of_name, args=[slug]),
        "add_url": reverse(grouping.add_name, args=[slug]),
        "rows": [_row(row, grouping, slug, counts.get(row.platform_id, 0)) for row in page.rows],
        "new_form": CategoryForm(auto_id="new-group-%s"),
        "readiness": readiness(grouping.kind, needs_trust_center=True),
        "may_change": request.membership.may(grouping.changer),
    }
    return render(request, "trust_center/groups.html", context)


def _row(row: Any, grouping: Grouping, slug: str, number: int) -> dict[str, Any]:
    """Return a group with its figure and the dialogs that change it."""
    return {
        "group": row,
        "number": number,
        "form": CategoryForm(row=row, auto_id=f"rename-{row.pk}-%s"),
        "rename_id": f"rename-{row.pk}",
        "rename_url": reverse(grouping.rename_name, args=[slug, row.platform_id]),
        "delete_id": f"delete-{row.pk}",
        "delete_url": reverse(grouping.delete_name, args=[slug, row.platform_id]),
        "warning": f"{grouping.remainder(number)} The {grouping.label} can't be brought back.",
    }
