from datetime import datetime
from typing import Any

from django import template

from portal.sync import selectors

register = template.Library()


@register.inclusion_tag("sync/progress.html")
def sync_progress() -> dict[str, Any]:
    """How far each kind of the tenant's copy is. Put it into a region that watches the live area `sync`."""
    return {"kinds": selectors.progress(), "waiting": selectors.waiting_objects()}


@register.inclusion_tag("sync/unreadable.html")
def unreadable_items(*kinds: str) -> dict[str, Any]:
    """What of these kinds could not be read; nothing when all could. Put it above their list."""
    return {"unreadable": selectors.unreadable(kinds)}


@register.simple_tag
def last_compared_at() -> datetime | None:
    """When the oldest of the complete copies was made; nothing while one is still to be made."""
    return selectors.last_compared_at()
