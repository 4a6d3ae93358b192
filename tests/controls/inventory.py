"""Finding the controls of a page: what a person could press, known again by a signature that does not name a row."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

from django.urls import Resolver404, resolve
from playwright.sync_api import Page

SCRIPT = (Path(__file__).parent / "page.js").read_text()
NUMBERS = re.compile(r"\d+")
DEEDS = ("action", "channel", "kind", "reason")
"""Parts of an address that say what is done, and not with what."""


@dataclass(frozen=True)
class Control:
    """One thing to press, as the page describes it."""

    index: int
    kind: str
    tag: str
    words: str
    verb: str
    address: str | None
    name: str
    value: str
    key: str
    place: str
    is_row: bool
    is_shell: bool
    is_current: bool
    is_hidden: bool
    is_sent_by_key: bool

    def signature(self, page: str) -> tuple[str, ...]:
        """Know it again: one row of a list stands for all, and the frame of the site is the same on every page of a tenant."""
        place = f"shell of {'a tenant' if page.startswith('/t/') else 'all'}" if self.is_shell else route_of(page)
        words = "" if self.is_row else NUMBERS.sub("#", self.words)
        return (
            place,
            self.kind,
            self.tag,
            self.verb,
            self._leads_to(page),
            self.name,
            self.value if self.name != "chosen" else "",
            words,
            self.key,
            "sent by key" if self.is_sent_by_key else "",
        )

    def _leads_to(self, page: str) -> str:
        if not self.verb or self.address is None:
            return "nowhere"
        if self.address.startswith("#"):
            return NUMBERS.sub("#", self.address)
        parts = urlsplit(urljoin(page, self.address))
        # What the page already asks for is carried on by each of its links; the others are what this one is about.
        carried = parse_qsl(urlsplit(page).query)
        added = [pair for pair in parse_qsl(parts.query) if pair not in carried]
        query = sorted(name if self.is_row else f"{name}={value}" for name, value in added)
        return f"{route_of(parts.path, DEEDS)}?{NUMBERS.sub('#', '&'.join(query))}#{parts.fragment}"

    def __str__(self) -> str:
        leads = f" → {self.verb} {self.address}" if self.verb else ""
        key = f" [{self.key}]" if self.key else ""
        return f"{self.kind} “{self.words}”{key}{leads}"


def route_of(path: str, kept: Iterable[str] = ()) -> str:
    """Return the pattern of an address of this site, with the values of some of its parts, or the host of another."""
    parts = urlsplit(path)
    if not parts.path.startswith("/"):
        return parts.scheme
    try:
        found = resolve(parts.path)
    except Resolver404:
        return f"{parts.scheme}://{parts.netloc}"
    route = f"/{found.route}"
    for name in kept:
        route = route.replace(f"<slug:{name}>", found.kwargs.get(name, ""))
    return route


def controls_of(page: Page) -> list[Control]:
    """Return every control of the page that is open, those of its closed menus and dialogs too."""
    found: list[dict[str, Any]] = page.evaluate("controls.find()")
    return [Control(**each) for each in found]
