"""The strip that leads a new tenant through its set-up, for the page on which the day starts."""

from typing import Any

from django import template

from portal.first_hour.selectors import first_hour
from portal.tenants.models import Role

register = template.Library()


@register.inclusion_tag("first_hour/_strip.html", takes_context=True)
def first_hour_strip(context: dict[str, Any]) -> dict[str, Any]:
    """Show which steps are done, to those who may take them, until all are."""
    request = context["request"]
    hour = first_hour() if request.membership.may(Role.ADMIN) else None
    return {"request": request, "csrf_token": context.get("csrf_token"), "hour": hour}
