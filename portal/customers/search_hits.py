"""The customers that a search over all desks finds."""

from collections.abc import Iterator

from django.urls import reverse

from portal.customers.filters import ORDER, CustomerFilters
from portal.saved_views.found import Found


def find_customers(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give those of which one account has the words, by name."""
    rows = CustomerFilters(q=words).rows().worth_a_look(words, *ORDER, of=CustomerFilters().rows())
    for row in rows.order_by(*ORDER).defer("payload", "search")[:most]:
        yield Found(str(row), row.domain if row.name else "", reverse("customers:customer", args=[slug, row.platform_id]))
