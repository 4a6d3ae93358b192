from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

POLL_SECONDS = 3
"""How often an open page asks by itself; what a stream tells it of, it asks for at once (`static/js/stream.js`)."""
ATTRIBUTES = (
    'data-live data-areas="{areas}" hx-get="{address}" hx-trigger="every {seconds}s, changed" hx-swap="outerHTML" '
    'hx-headers=\'{{"Seen": "{stamp}"}}\''
)


@register.simple_tag
def live(address: str, stamp: str, seconds: int = 0, areas: str = "") -> SafeString:
    """Write the attributes of an element with an id that polls its own address with the stamp of what it shows.

    `areas`, separated by spaces: what it changes with, where the stamp does not say so.
    """
    known = getattr(stamp, "areas", None) or dict.fromkeys(areas.split(), 0)
    told = " ".join(f"{name}:{version}" for name, version in known.items())
    return format_html(ATTRIBUTES, address=address, seconds=seconds or POLL_SECONDS, stamp=stamp, areas=told)
