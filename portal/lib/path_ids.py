"""Ids that others have given, as one part of an address of ours (guarantee S5).

A web server decodes an address before anybody here sees it, and a proxy in front may tidy it up. So an id is not
percent-encoded but written with characters that nobody touches: letters, digits, `-` and `_` stay, every other byte becomes
`~` and two hexadecimal digits. Ids of the usual forms are readable as they are.
"""

import re
from typing import Final

ESCAPED: Final = re.compile(r"[^A-Za-z0-9_-]")
ESCAPE: Final = re.compile(r"~([0-9a-f]{2})|([^~]+)", re.DOTALL)
WORDS: Final = re.compile(r"[a-z_-]+", re.IGNORECASE)
"""What a fixed part of our addresses may look like (`new`, `approve-unchanged`): no id is written so."""
NOTHING: Final = "~"
"""Stands for no id at all: a page can be drawn with it, and nothing is found there."""


def write_id(value: str) -> str:
    """Write any text as one part of an address: never empty, never `.` or `..`, never a word of our own addresses."""
    if not value:
        return NOTHING
    written = ESCAPED.sub(lambda found: _escape(found[0]), value)
    return _escape(written[0]) + written[1:] if WORDS.fullmatch(written) else written


def read_id(written: str) -> str:
    """Return the text that was written. Raises ValueError."""
    found = bytearray()
    position = 0
    while position < len(written):
        match = ESCAPE.match(written, position)
        if match is None:
            raise ValueError("an escape is broken off")
        found += bytes.fromhex(match[1]) if match[1] else match[2].encode()
        position = match.end()
    text = found.decode()
    if "\0" in text:
        raise ValueError("no database is asked for this")
    return text


def _escape(character: str) -> str:
    return "".join(f"~{byte:02x}" for byte in character.encode())


class IdConverter:
    """`<id:platform_id>` in a URL pattern: any id of the platform, and nothing else of the path."""

    regex = "[^/]+"

    def to_python(self, value: str) -> str:
        return read_id(value)

    def to_url(self, value: str) -> str:
        return write_id(value)
