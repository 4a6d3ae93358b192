"""Where the sentences of an answer end."""

import re
from typing import Final

SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+(?=[\"“(]?[A-Z0-9])|\n+")


def sentences(text: str) -> list[str]:
    return [part.strip() for part in SENTENCE_END.split(text) if part.strip()]
