"""Cutting the text of a document into passages: short enough to answer one question, long enough to say something."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

PARAGRAPH: Final = re.compile(r"\n\s*\n")
SENTENCE: Final = re.compile(r"(?<=[.!?:;])\s+(?=[^a-z\s])")
LONG_WORDS: Final = 80
"""A passage ends with the sentence that reaches so many words."""
MIN_WORDS: Final = 5
"""What is shorter says nothing by itself: a heading, the number of a page. It goes before what follows."""
MAX_WORDS: Final = 200
"""A sentence without an end, as tables are read, is cut here."""
MAX_PASSAGES: Final = 3000


def passages_of(pages: Mapping[int, str]) -> list[tuple[int, str]]:
    """Return the passages of a document, each with the number of its page, in their order."""
    found = [(number, text) for number in sorted(pages) for text in _cut(pages[number])]
    return found[:MAX_PASSAGES]


def _cut(page: str) -> Iterator[str]:
    words = list[str]()
    for sentence, is_end in _sentences(page):
        words += sentence
        while len(words) > MAX_WORDS:
            yield " ".join(words[:MAX_WORDS])
            words = words[MAX_WORDS:]
        if len(words) >= LONG_WORDS or (is_end and len(words) >= MIN_WORDS):
            yield " ".join(words)
            words = []
    if words:
        yield " ".join(words)


def _sentences(page: str) -> Iterator[tuple[list[str], bool]]:
    """Walk the sentences of a page in words, each with whether a paragraph ends with it. Where lines break says nothing."""
    for paragraph in PARAGRAPH.split(page):
        sentences = [found for text in SENTENCE.split(paragraph) if (found := text.split())]
        for place, sentence in enumerate(sentences, start=1):
            yield sentence, place == len(sentences)
