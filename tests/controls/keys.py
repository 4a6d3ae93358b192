"""The keys of every page: where each means something, and what it then does. Those of a control press that control."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page


@dataclass(frozen=True)
class PageKey:
    """Keys that belong to no control of their own, and what comes of the last one."""

    name: str
    """As the list of keys calls it."""
    does: str
    presses: tuple[str, ...]
    there: str
    """Whether it means something on the page that is open."""
    then: str
    """What holds after the last press, and not before it."""
    at: str = ""
    """Where somebody stands who presses it."""
    is_shell: bool = False
    """It does the same on every page."""

    def __str__(self) -> str:
        return f"key {self.name}, which {self.does}"


FIELD = ":is(textarea, select, input:not([type=hidden]))"
FIRST = "!keys.isPaneOpen() && keys.boxOf(keys.rows()[0]) && !['j', 'x'].some(keys.isOfAControl)"
HAS_FIELD = f"keys.shows(keys.isPaneOpen() ? '.pane form.form {FIELD}' : 'main form.form {FIELD}')"
COMMAND = "[data-command] [role=combobox]"
MENU = ".top details[data-menu]:last-of-type > summary"
FOCUS_IS_IN = "Boolean(document.activeElement.closest('{}'))"
NOTHING_IS_OPEN = "!document.querySelector('dialog[open], details[data-menu][open]')"
PAGE_KEYS = (
    PageKey("/", "goes to the search", ("/",), "keys.shows('[data-search]')", FOCUS_IS_IN.format("[data-search]")),
    PageKey(
        *("Esc", "leaves the field", ("/", "Escape")),
        there="keys.shows('[data-search]')",
        then="!document.activeElement.matches('[data-search]')",
        is_shell=True,
    ),
    *(
        PageKey(
            *(key, "goes to a row", (key,)),
            there=f"!keys.isOfAControl('{key}') && !keys.isPaneOpen() && keys.canStep({step})",
            then="Boolean(keys.focusedRow())",
        )
        for key, step in (("j", 1), ("k", -1))
    ),
    *(
        PageKey(
            *(key, "opens the row beside it", (key,)),
            there=f"!keys.isOfAControl('{key}') && keys.isPaneOpen() && keys.canStep({step})",
            then="keys.did()",
        )
        for key, step in (("j", 1), ("k", -1))
    ),
    PageKey(
        *("Enter", "opens the row", ("j", "Enter")),
        there="!keys.isOfAControl('j') && !keys.isPaneOpen() && keys.rows()[0]?.querySelector('a.t')?.checkVisibility()",
        then="keys.opened()",
    ),
    PageKey("x", "selects the row", ("j", "x"), FIRST, "keys.boxOf(keys.focusedRow())?.checked"),
    PageKey(
        *("x", "selects what is open", ("x",)),
        there="!keys.isOfAControl('x') && keys.boxOf(keys.openRow())",
        then="keys.boxOf(keys.openRow())?.checked",
    ),
    PageKey(
        *("b", "goes to what can be done with the selected rows", ("j", "x", "b")),
        there=f"{FIRST} && document.querySelector('.bulk button')",
        then=FOCUS_IS_IN.format(".bulk"),
    ),
    PageKey(
        *("e", "goes to the form", ("e",)),
        there=f"!keys.isOfAControl('e') && {HAS_FIELD}",
        then=FOCUS_IS_IN.format("form.form"),
    ),
    PageKey("i", "inserts an earlier answer", ("i",), "keys.shows('[data-insert]')", "controls.changed().includes('fields')"),
    PageKey(
        *("?", "shows the list of keys", ("?",)),
        there="document.querySelector('#shortcuts')",
        then="document.querySelector('#shortcuts').open",
        is_shell=True,
    ),
    PageKey(
        *("Esc", "closes the dialog", ("?", "Escape")),
        there="document.querySelector('#shortcuts')",
        then=NOTHING_IS_OPEN,
        is_shell=True,
    ),
    PageKey(
        *("Esc", "closes the menu", ("Enter", "Escape")),
        there=f"keys.shows('{MENU}')",
        then=NOTHING_IS_OPEN,
        at=f"document.querySelector('{MENU}').focus()",
        is_shell=True,
    ),
    PageKey("Esc", "closes what is open beside the list", ("Escape",), "keys.shows('.pane [data-pane-close]')", "keys.did()"),
    PageKey(
        *("Ctrl+K", "goes to the commands", ("Control+k",)),
        there=f"keys.shows('{COMMAND}')",
        then=FOCUS_IS_IN.format(COMMAND),
        is_shell=True,
    ),
)
PLACES: Mapping[str, str] = {
    "a r": "questionnaires/<id:platform_id>/review/",
    "s u": "questionnaires/<id:platform_id>/review/",
    "o O d p t": "questionnaires/<id:platform_id>/",
    "h A c": "questionnaires/<id:platform_id>/",
    "1 … 5": "questionnaires/<id:platform_id>/",
    "a o d s u": "^/t/<slug:slug>/$",
    "l m": "questionnaires/<id:platform_id>/",
    "f v": "exports/",
    "a d": "access-requests/",
    "a c d": "suggestions/",
}
"""Line of the list of keys → the routes of the pages that it speaks of; a line that is not here speaks of any page."""


def keys_of(page: Page) -> list[PageKey]:
    """Return what can be pressed on the page that is open, besides its controls."""
    are_there: list[bool] = evaluate(page, f"[{', '.join(f'Boolean({key.there})' for key in PAGE_KEYS)}]")
    found = [key for key, is_there in zip(PAGE_KEYS, are_there, strict=True) if is_there]
    found += [
        PageKey(f"g {letter}", "goes to a page", ("g", letter), "", f"keys.goesTo('{letter}')", is_shell=True)
        for letter in evaluate(page, "keys.goKeys()")
    ]
    return found + [
        PageKey(
            *(key, f"is one of the row and {'is shown by its menu' if is_in_menu else 'acts'}", (key,), ""),
            then=f"document.activeElement.dataset.rowKey === '{key}'" if is_in_menu else "keys.did()",
            at=f"keys.standAt('{key}')",
        )
        for key, is_in_menu in evaluate(page, "keys.rowKeys().map((key) => [key, keys.isInMenu(key)])")
    ]


def evaluate(page: Page, expression: str) -> Any:
    """Ask the page something about its keys."""
    return page.evaluate(f"() => {{ const keys = controls.keys; return {expression}; }}")


@dataclass(frozen=True)
class Line:
    """One line of the list of keys."""

    term: str
    names: tuple[str, ...]

    def unpressed(self, pressed: Iterable[tuple[str, str]]) -> list[str]:
        """Return its keys that nobody has pressed on a page that it speaks of. `pressed` are keys and routes of pages."""
        place = PLACES.get(self.term, "")
        there = {name for name, route in pressed if re.search(place, route)}
        return [name for name in self.names if name not in there]


def listed(page: Page) -> list[Line]:
    """Read the list of keys of the page that is open."""
    return [Line(line["term"], _names(**line)) for line in evaluate(page, "keys.listed()")]


def _names(term: str, keys: list[str], letters: list[str]) -> tuple[str, ...]:
    if letters:
        return tuple(f"{keys[0]} {letter}" for letter in letters)
    if "Ctrl" in keys:
        return ("+".join(keys),)
    if "…" in term:
        return tuple(str(number) for number in range(int(keys[0]), int(keys[-1]) + 1))
    return tuple(keys)
