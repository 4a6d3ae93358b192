"""What two wordings of a question, a name or an address have in common."""

import re
from hashlib import sha256
from typing import Final
from urllib.parse import urlsplit

WORD: Final = re.compile(r"\w+")
MAX_WORDS: Final = 16
"""More words make a search slower and no better."""
FILLERS: Final = frozenset(
    WORD.findall(
        "a about all an and any are as at be been by can could describe did do does for from has have how if in is it its list"
        " may more must no not of on or other please provide should so such than that the their them there these they this"
        " those to us was we were what when where whether which who will with would yes you your yours"
    )
)
"""Words that stand in every second question and say nothing about it."""


def key_of(text: str) -> str:
    """Return a short key that is equal for two texts with the same words, however they are written; nothing for no words."""
    words = WORD.findall(text.casefold())
    return sha256(" ".join(words).encode()).hexdigest()[:32] if words else ""


def address_key(url: str) -> str:
    """Return a key that is equal for two addresses of the same page; nothing for what is no address of the web."""
    try:
        parts = urlsplit(url.strip())
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not host:
        return ""
    place = host if port in (None, 80, 443) else f"{host}:{port}"
    # With or without TLS, a slash at the end or a mark within the page: people would call it the same.
    page = f"{place.removeprefix('www.')}{parts.path.rstrip('/')}?{parts.query}"
    return sha256(page.encode("utf-8", "replace")).hexdigest()


def telling_words(text: str) -> list[str]:
    """Return the words of a question that tell what it is about, each once, in their order."""
    words = dict.fromkeys(word for word in WORD.findall(text.casefold()) if len(word) > 1 and word not in FILLERS)
    return [*words][:MAX_WORDS]
