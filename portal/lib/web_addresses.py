"""Addresses that others have written, and that become links on pages of ours."""


def web_address(url: str | None) -> str:
    """Return an address where it is one of the web; nothing else is a link on a page of ours (guarantee S5)."""
    return url if url and url.lower().startswith(("https://", "http://")) else ""
