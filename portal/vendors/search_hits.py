"""What of this desk a search over all desks finds, and what it offers again; and which subprocessors are vendors."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from urllib.parse import urlencode

from django.urls import reverse

from portal.saved_views.found import Found
from portal.trust_center.models import Subprocessor
from portal.vendors.filters import BY_NAME
from portal.vendors.models import Vendor


def find_vendors(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give the vendors with the words, by name."""
    for row in Vendor.objects.present().first_matching(words, *BY_NAME).defer("payload", "search")[:most]:
        yield Found(str(row), row.category or row.status_pill[0], vendor_url(slug, row.platform_id))


def vendor_titles(ids: Collection[str]) -> Mapping[str, str]:
    rows = Vendor.objects.present().filter(platform_id__in=ids).only("platform_id", "name")
    return {row.platform_id: str(row) for row in rows}


def vendor_url(slug: str, platform_id: str) -> str:
    return reverse("vendors:vendor", args=[slug, platform_id])


def vendors_of_subprocessors(subprocessors: Collection[Subprocessor], slug: str) -> dict[str, str]:
    """Return the pages of the vendors that are these subprocessors, by the subprocessor's id on the platform.

    The two have only their name in common (platform-api 4.5.8, 4.7): it has to fit exactly one vendor.
    """
    names = {row.name_sort for row in subprocessors if row.name_sort}
    found: dict[str, list[str]] = defaultdict(list)
    for name, platform_id in Vendor.objects.present().filter(name_sort__in=names).values_list("name_sort", "platform_id"):
        found[name].append(platform_id)
    return {row.platform_id: vendor_url(slug, ids[0]) for row in subprocessors if len(ids := found.get(row.name_sort, [])) == 1}


def subprocessor_url(slug: str, vendor: Vendor) -> str:
    """Return where the Trust Center's list shows the vendor as a subprocessor; empty where it does not."""
    rows = (
        Subprocessor.objects.present().filter(name_sort=vendor.name_sort) if vendor.name_sort else Subprocessor.objects.none()
    )
    row = rows.only("platform_id", "name", "name_sort").first()
    if row is None or row.platform_id not in vendors_of_subprocessors([row], slug):
        return ""
    return f"{reverse('trust_center:subprocessors', args=[slug])}?{urlencode({'q': row.name})}"
