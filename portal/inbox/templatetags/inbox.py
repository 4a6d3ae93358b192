"""What other rooms' pages say of the tenant's events."""

from datetime import datetime

from django import template

from portal.inbox import selectors

register = template.Library()


@register.simple_tag
def last_delivery_at() -> datetime | None:
    """When the platform last told of something."""
    return selectors.last_delivery_at()


@register.simple_tag
def silent_feed() -> selectors.Silence | None:
    """The silence of the tenant's feed, if there is one."""
    return selectors.silence()
