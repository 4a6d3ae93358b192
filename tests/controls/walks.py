"""Walking through the pages as one person, and pressing every control that was not pressed before."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from urllib.parse import urljoin, urlsplit

from tests.controls.inventory import Control, controls_of, route_of
from tests.controls.keys import Line, PageKey, keys_of, listed
from tests.controls.presses import Browser
from tests.controls.world import SLUG, World
from tests.house.addresses import SAMPLES, addresses

ON_EACH_ROUTE = 3
"""Pages of one route that are opened: rows in different states have different controls."""
QUERIES = 6
"""Addresses of one route that differ in nothing but their query."""
ORDER = ("link", "opener", "button", "choice", "field", "fragment", "sender")
"""What leaves the page as it is comes first."""
NOT_PAGES = ("/static/", "/media/", "/styleguide/", "/hooks/", "/metrics", "/healthz", "/readyz")

type Signature = tuple[str, ...]


@dataclass
class Walk:
    """What one person found and pressed."""

    browser: Browser
    most_pages: int = 1000
    keeps_out_of: str = ""
    """Addresses below this one are another walk's."""
    pressed: set[Signature] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)
    pages: list[str] = field(default_factory=list)
    keys: set[tuple[str, str]] = field(default_factory=set)
    """The keys that were pressed, each with the route of its page."""
    listed: list[Line] = field(default_factory=list)
    """What the list of keys says."""
    _waiting: list[str] = field(default_factory=list)
    _known: set[str] = field(default_factory=set)
    _paths: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    _queries: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def run(self, starts: Iterable[str]) -> "Walk":
        self._lead_to(starts)
        while self._waiting and len(self.pages) < self.most_pages:
            self._visit(self._waiting.pop(0))
        return self

    def _lead_to(self, found: Iterable[str]) -> None:
        for address in found:
            parts = urlsplit(address)
            path = parts.path + (f"?{parts.query}" if parts.query else "")
            route = route_of(parts.path)
            if self.keeps_out_of and parts.path.startswith(self.keeps_out_of) and parts.path != self.keeps_out_of:
                continue
            if path in self._known or not route.startswith("/") or parts.path.startswith(NOT_PAGES):
                continue
            self._known.add(path)
            if parts.path not in self._paths[route] and len(self._paths[route]) >= ON_EACH_ROUTE:
                continue
            if self._queries[route] >= QUERIES and parts.query:
                continue
            self._paths[route].add(parts.path)
            self._queries[route] += bool(parts.query)
            self._waiting.append(path)

    def _visit(self, path: str) -> None:
        if not self.browser.opens(path):
            return
        self.pages.append(path)
        found = controls_of(self.browser.page)
        meant = keys_of(self.browser.page)
        self.listed = self.listed or listed(self.browser.page)
        self._lead_to(
            urljoin(path, each.address) for each in found if each.address and each.verb == "get" and each.address[0] in "/?"
        )
        new: dict[Signature, Control] = {}
        for control in sorted(found, key=lambda each: ORDER.index(each.kind)):
            signature = control.signature(path)
            if signature not in self.pressed:
                new.setdefault(signature, control)
        is_fresh = True
        for signature, control in new.items():
            is_fresh = self._press(signature, control, path, is_fresh=is_fresh)
        for control in found:
            if control.key and control.kind != "field":
                self._press_by_key(control.key, control, path, self.browser.press_key)
            if control.is_sent_by_key:
                self._press_by_key("Ctrl+Enter", control, path, partial(self.browser.send_by_key, path=path))
        self.press_keys(meant, path)

    def press_keys(self, meant: Iterable[PageKey], path: str) -> None:
        """Press the keys that belong to the whole page, where there is something for them to do."""
        is_fresh = False
        for key in meant:
            place = "shell" if key.is_shell else route_of(path)
            if (signature := (place, "key", key.name, key.does)) in self.pressed:
                continue
            self.pressed.add(signature)
            self.keys.add((key.name, route_of(path)))
            self._try(f"{path}: {key}", path, partial(self.browser.press_keys, key), is_fresh=is_fresh)
            is_fresh = self.browser.is_as_before()

    def unpressed(self) -> list[str]:
        """Return what the list of keys names and no page has, each key with its line."""
        return [f"{name} of “{line.term}”" for line in self.listed for name in line.unpressed(self.keys)]

    def _press(self, signature: Signature, control: Control, path: str, *, is_fresh: bool) -> bool:
        """Press one control in the page as it was when it was opened; return whether it is so still."""
        self.pressed.add(signature)

        def press() -> list[str]:
            again = self.browser.find(signature, path)
            return self.browser.press(again, path) if again else ["is not there when the page is opened again"]

        self._try(f"{path}: {control}", path, press, is_fresh=is_fresh)
        return self.browser.is_as_before()

    def _press_by_key(self, key: str, control: Control, path: str, press: Callable[[Control], list[str]]) -> None:
        """Do by a key what the mouse does with a control, where it is there when the page is opened again."""
        signature = control.signature(path)
        if (by_key := (*signature, key, "by key")) in self.pressed:
            return
        self.pressed.add(by_key)

        def press_again() -> list[str]:
            again = self.browser.find(signature, path)
            if again is None:
                return []
            self.keys.add((key, route_of(path)))
            return press(again)

        self._try(f"{path}: key {key} of {control}", path, press_again)

    def _try(self, name: str, path: str, press: Callable[[], list[str]], *, is_fresh: bool = False) -> None:
        """Press something in the page as it is when it is opened; what is wrong twice is a fault.

        Beside a busy processor an effect may come late, and one late effect would have the whole walk begin anew.
        """
        for is_open in (is_fresh, False):
            if not is_open:
                self.browser.open(path)
            if not (faults := press()):
                return
        self.faults += [f"{name}: {fault}" for fault in faults]


def signed_out_starts(site: World) -> Iterator[str]:
    """The addresses that anybody may open, and those that a link in a mail leads to."""
    yield from ("/", "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/")
    yield from site.public


def starts(slug: str = SLUG) -> Iterator[str]:
    """The addresses that need no key: of one tenant, and across tenants."""
    for address in addresses():
        if address.pattern.count("<") == address.is_of_a_tenant and not address.path.startswith(NOT_PAGES):
            yield address.path.replace(f"/t/{SAMPLES['slug']}/", f"/t/{slug}/")
