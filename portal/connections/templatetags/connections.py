"""What a page of a desk has to say when the grant does not cover it."""

from typing import Any

from django import template

from portal.connections import selectors

register = template.Library()


@register.inclusion_tag("connections/refused_area.html", takes_context=True)
def refused_area(context: template.Context, key: str) -> dict[str, Any]:
    """Say that the platform refuses an area, and what to do; nothing while it does not."""
    return {"area": selectors.refused_area(key), "tenant": context["request"].tenant}
