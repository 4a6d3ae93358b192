from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode

from django.urls import NoReverseMatch, reverse


@dataclass(frozen=True)
class Link:
    """A page of a desk, for pages of another: its URL name, what follows the tenant in the address, and its query."""

    name: str
    args: tuple[str, ...] = ()
    query: Mapping[str, str] = field(default_factory=dict)

    def url(self, slug: str) -> str:
        """Write the address; empty for an id that no address can hold."""
        try:
            path = reverse(self.name, args=[slug, *self.args])
        except NoReverseMatch:
            return ""
        return path + (f"?{urlencode(self.query)}" if self.query else "")
