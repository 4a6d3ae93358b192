from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

POLL_SECONDS = 3
"""How often an open page asks by itself; what a stream tells it of, it asks for at once (`static/js/stream.js`)."""
ATTRIBUTES = (
    'data-live data-areas="{areas}" hx-get="{address}" hx-trigger="every {seconds}s, changed" hx-swap="outerHTML" '
    'hx-headers=\'{{"Seen": "{page_version}"}}\''
)


@register.simple_tag
def live(address: str, page_version: str, seconds: int = 0, areas: str = "") -> SafeString:
    """Write the attributes of an element with an id that polls its own address with the page version of what it shows.

    `areas`, separated by spaces: what it changes with, where the page version does not say so.
    """
    known = getattr(page_version, "areas", None) or dict.fromkeys(areas.split(), 0)
    told = " ".join(f"{name}:{version}" for name, version in known.items())
    return format_html(ATTRIBUTES, address=address, seconds=seconds or POLL_SECONDS, page_version=page_version, areas=told)
