"""A comment as HTML: everything escaped, web addresses as links, mentions marked. The style sheet keeps the line breaks."""

import re
from collections.abc import Iterable, Iterator

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from portal.comments.mentions import pattern_of

TURNS = r"\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Characters that turn the direction of a text: in an address they would show another one."""
ADDRESS = re.compile(rf"https?://[^\s<>\"'{TURNS}]*[^\s<>\"'.,;:!?)\]}}{TURNS}]")
"""A web address, without what ends the sentence around it."""
LINK = '<a href="{}" rel="nofollow noopener noreferrer" target="_blank">{}</a>'
MENTION = '<b class="mention">{}</b>'


def comment_html(body: str, names: Iterable[str]) -> SafeString:
    """Write a comment; `names` are those by which its mentioned members can be called."""
    return format_html_join("", "{}", ((piece,) for piece in _pieces(body, pattern_of(names))))


def _pieces(text: str, names: re.Pattern[str]) -> Iterator[str]:
    last = 0
    for match in ADDRESS.finditer(text):
        yield from _with_mentions(text[last : match.start()], names)
        yield format_html(LINK, match[0], match[0])
        last = match.end()
    yield from _with_mentions(text[last:], names)


def _with_mentions(text: str, names: re.Pattern[str]) -> Iterator[str]:
    last = 0
    for match in names.finditer(text):
        yield text[last : match.start()]
        yield format_html(MENTION, match[0])
        last = match.end()
    yield text[last:]
