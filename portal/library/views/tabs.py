from typing import Any

from django.urls import reverse

from portal.library.selectors import coverage, open_pairs
from portal.tenants.access import TenantRequest

PAGES = {"list": "Entries", "coverage": "Coverage", "duplicates": "Duplicates", "knowledge": "Knowledge base"}


def pages_of(request: TenantRequest, current: str) -> list[dict[str, Any]]:
    """Give the pages of the library, with how much waits on each."""
    counted = coverage()
    counts = {"coverage": counted.gap_count if counted else 0, "duplicates": open_pairs()}
    return [
        {
            "label": label,
            "url": reverse(f"library:{name}", args=[request.tenant.slug]),
            "count": counts.get(name) or None,
            "is_current": name == current,
        }
        for name, label in PAGES.items()
    ]
