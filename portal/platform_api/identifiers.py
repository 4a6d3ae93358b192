"""What an id of the platform may be: any text that can be written into one part of a path (guarantee S5)."""

import unicodedata
from typing import Final

from portal.platform_api import errors

MAX_ID_LENGTH: Final = 512
"""Characters. Columns that hold an id are as long, and nothing longer is asked for or stored."""
UNWRITABLE: Final = {"Cc", "Cs"}
"""Control characters, and halves of surrogate pairs, which no encoder writes."""


def is_identifier(text: object) -> bool:
    """Say whether this can be an id of the platform. Slashes, spaces, dots, umlauts and the rest are its own business."""
    return isinstance(text, str) and not identifier_problem(text)


def identifier_problem(text: str) -> str:
    """Say why this cannot be an id; empty when it can."""
    if not text:
        return "the id is empty"
    if len(text) > MAX_ID_LENGTH:
        return f"the id is longer than {MAX_ID_LENGTH} characters"
    if text in {".", ".."}:
        return "the id is a step in a path"
    if any(unicodedata.category(character) in UNWRITABLE for character in text):
        return "the id has control characters"
    return ""


def reference(identifier: str | None) -> str:
    """Return an id that an object names, empty when it names none: one that was cut off would be another's."""
    return identifier if identifier and is_identifier(identifier) else ""


def check_identifier(text: str) -> str:
    """Return an id that may stand in a path. Raises InvalidIdentifier."""
    if problem := identifier_problem(text):
        raise errors.InvalidIdentifier(problem)
    return text
