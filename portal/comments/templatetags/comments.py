"""The comments on an object, on its page."""

from typing import Any

from django import template
from django.template.context import RequestContext

from portal.comments.subjects import registered
from portal.comments.thread import context_of, read_place

register = template.Library()


@register.inclusion_tag("comments/_comments.html", takes_context=True)
def comments(context: RequestContext, kind: str, object_id: object, in_pane: bool = False) -> dict[str, Any]:
    """Show what was said about an object, and a field to say something."""
    request = context["request"]
    subject, slug = registered(kind), request.tenant.slug
    place = read_place({}, subject=subject, object_id=str(object_id), member=request.membership, slug=slug)
    return context_of(place) | {"request": request, "csrf_token": context["csrf_token"], "in_pane": in_pane}
