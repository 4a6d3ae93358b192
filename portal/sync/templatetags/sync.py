from typing import Any

from django import template

from portal.sync import selectors

register = template.Library()


@register.inclusion_tag("sync/progress.html")
def sync_progress() -> dict[str, Any]:
    """How far each kind of the tenant's copy is. Put it into a region that watches the live area `sync`."""
    return {"kinds": selectors.progress(), "waiting": selectors.waiting_objects()}
