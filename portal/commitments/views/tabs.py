from typing import Any

from django.urls import reverse

from portal.commitments.selectors import open_contradictions, open_suggestions
from portal.tenants.access import TenantRequest

PAGES = {
    "matrix": "Matrix",
    "register": "Register",
    "suggestions": "Suggestions",
    "contradictions": "Contradictions",
    "standards": "Our standard",
}


def tabs_of(request: TenantRequest, current: str) -> list[dict[str, Any]]:
    """Give the pages of the room, with how much waits on each."""
    counts = {"suggestions": open_suggestions(), "contradictions": open_contradictions()}
    return [
        {
            "label": label,
            "url": reverse(f"commitments:{name}", args=[request.tenant.slug]),
            "count": counts.get(name) or None,
            "is_current": name == current,
        }
        for name, label in PAGES.items()
    ]
