"""Pieces of Slack's messages. Names come from outside, so every text is plain: none of them can be markup."""

from collections.abc import Iterable
from typing import Any

type Block = dict[str, Any]

MAX_CONTEXT, MAX_OPTION, MAX_OPTIONS, MAX_SECTION = 1900, 75, 100, 2900
"""Slack refuses longer ones."""


def plain(text: str, most: int = MAX_SECTION) -> Block:
    return {"type": "plain_text", "text": cut(text, most), "emoji": False}


def cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def section(text: str) -> Block:
    return {"type": "section", "text": plain(text)}


def context(*texts: str) -> Block:
    return {"type": "context", "elements": [plain(text, MAX_CONTEXT) for text in texts if text]}


def button(action: str, label: str, key: int, style: str = "") -> Block:
    made = {"type": "button", "action_id": action, "text": plain(label, MAX_OPTION), "value": str(key)}
    return made | ({"style": style} if style else {})


def option(value: str, label: str) -> Block:
    return {"text": plain(label, MAX_OPTION), "value": value}


def select(kind: str, name: str, options: Iterable[Block], chosen: str) -> Block:
    """One of several: `kind` is `radio_buttons` or `static_select`."""
    made = list(options)
    initial = [each for each in made if each["value"] == chosen]
    return {"type": kind, "action_id": name, "options": made, **({"initial_option": initial[0]} if initial else {})}


def several(kind: str, name: str, options: Iterable[Block], chosen: Iterable[str]) -> Block:
    """Any number of several: `kind` is `multi_static_select` or `checkboxes`."""
    made, wanted = list(options)[:MAX_OPTIONS], set(chosen)
    initial = [each for each in made if each["value"] in wanted]
    return {"type": kind, "action_id": name, "options": made, **({"initial_options": initial} if initial else {})}


def field(name: str, label: str, element: Block, *, help_text: str = "") -> Block:
    """A field of a dialog. Whether it is needed is for the form to say, which knows the other fields."""
    hint = {"hint": plain(help_text, 150)} if help_text else {}
    return {"type": "input", "block_id": name, "label": plain(label, 150), "element": element, "optional": True, **hint}


def dialog(callback: str, title: str, submit: str, key: int, blocks: list[Block]) -> Block:
    return {
        "type": "modal",
        "callback_id": callback,
        "title": plain(title, 24),
        "submit": plain(submit, 24),
        "close": plain("Cancel", 24),
        "private_metadata": str(key),
        "blocks": blocks,
    }


def explanation(title: str, text: str) -> Block:
    """A dialog that says why something was not done."""
    return {
        "type": "modal",
        "title": plain("Not done", 24),
        "close": plain("Close", 24),
        "blocks": [section(f"{title}\n{text}")],
    }
