"""What the pages of an account ask: how a session is named, and whether passkeys can be offered."""

from django import template

from portal.users.factors import takes_passkeys

register = template.Library()
register.filter("takes_passkeys", takes_passkeys)

# The first that is found counts: each browser names those it descends from, too.
BROWSERS = (("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


@register.filter
def browser_name(user_agent: str) -> str:
    """Return the browser and system that a user agent names, such as "Firefox on macOS"."""
    browser = next((name for mark, name in BROWSERS if mark in user_agent), "")
    system = next((name for mark, name in SYSTEMS if mark in user_agent), "")
    return " on ".join(filter(None, (browser, system))) or user_agent[:60] or "Unknown browser"
