from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

POLL_SECONDS = 3
"""How often an open page asks. News are on it within four seconds, nineteen times of twenty: `make bench` prints how soon."""
ATTRIBUTES = (
    'data-live hx-get="{address}" hx-trigger="every {seconds}s" hx-swap="outerHTML" hx-headers=\'{{"Seen": "{stamp}"}}\''
)


@register.simple_tag
def live(address: str, stamp: str, seconds: int = 0) -> SafeString:
    """Write the attributes of an element with an id that polls its own address with the stamp of what it shows."""
    return format_html(ATTRIBUTES, address=address, seconds=seconds or POLL_SECONDS, stamp=stamp)
