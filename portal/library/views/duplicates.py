from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from portal.lib.keyset import keyset_page
from portal.library import services
from portal.library.models import EntryPair
from portal.library.pair_pages import sides_of
from portal.library.views.page_version import page_version
from portal.library.views.tabs import pages_of
from portal.page_refresh.services import is_unchanged
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role

PAIRS = 10
ORDER = ("kind", "-score", "id")
DECIDED = "Someone changed one of them or decided on them in the meantime."


@require_GET
@tenant_view(Role.VIEWER)
def duplicates(request: TenantRequest) -> HttpResponse:
    """Entries that are asked for alike, conflicts first. Polls this same address while it is open."""
    seen = page_version(request)
    if request.htmx and is_unchanged(request, seen):
        return HttpResponse(status=204)
    rows = EntryPair.objects.open().select_related("first__owner", "second__owner")
    page = keyset_page(rows, order_by=ORDER, cursor=request.GET.get("cursor"), size=PAIRS)
    context = {
        "pages": pages_of(request, "duplicates"),
        "page": page,
        "pairs": [(pair, sides_of(pair)) for pair in page.rows],
        "is_analyst": request.membership.may(Role.ANALYST),
        "page_version": seen,
    }
    return render(request, f"library/duplicates.html{'#duplicates' if request.htmx else ''}", context)


@require_POST
@tenant_view(Role.ANALYST)
def merge(request: TenantRequest, pair_id: int) -> HttpResponse:
    """Make one entry of two: `keep` names the entry that stays, and the versions of both that were read."""
    pair = find_pair(pair_id)
    if pair is None:
        messages.warning(request, f"Not merged. {DECIDED}")
        return redirect("library:duplicates", slug=request.tenant.slug)
    key, *seen = request.POST.get("keep", "").split()
    kept = {str(pair.first_id): pair.first, str(pair.second_id): pair.second}.get(key)
    if kept is None or len(seen) != 2:
        raise Http404
    try:
        services.merge_pair(pair, kept=kept, seen=seen, member=request.membership)
    except services.ChangedMeanwhile:
        messages.warning(request, "Not merged: someone changed one of them in the meantime. Check both again.")
    except services.Gone as error:
        messages.warning(request, f"Not merged. {error}")
    except ValidationError as error:
        messages.warning(request, f"Not merged. {error.message}")
    else:
        messages.success(request, "Merged.")
        return redirect("library:entry", slug=request.tenant.slug, entry_id=kept.pk)
    return redirect("library:duplicates", slug=request.tenant.slug)


@require_POST
@tenant_view(Role.ANALYST)
def keep_both(request: TenantRequest, pair_id: int) -> HttpResponse:
    pair = find_pair(pair_id)
    if pair is None:
        messages.warning(request, f"Not dismissed. {DECIDED}")
    else:
        services.dismiss_pair(pair, member=request.membership)
        messages.success(request, "Dismissed. The pair is suggested again when one of them changes.")
    return redirect("library:duplicates", slug=request.tenant.slug)


def find_pair(pair_id: int) -> EntryPair | None:
    """Return a pair that waits for a decision; it goes with every change of one of its entries."""
    return EntryPair.objects.open().select_related("first", "second").filter(pk=pair_id).first()
