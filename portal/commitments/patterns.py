"""Promises found in the text of a contract, or of an answer, by patterns. Knows no database, and decides nothing.

What is found is a suggestion: a person accepts it, corrects it or puts it away. So a pattern rather misses a promise than to
cry wolf at each `30 days`.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256
from typing import Final

from portal.commitments.text_extraction.passages import Passage, Value
from portal.commitments.text_extraction.sentences import sentences_of, split
from portal.commitments.text_extraction.terms import READERS

VERSION: Final = 2
"""Counts up with each change of the patterns: every text is looked through once more then."""
MAX_QUOTE_LENGTH = 900
AROUND = 400
ADDRESS: Final = re.compile(r"[^\s<>\"'(),;:]+@[^\s<>\"'(),;]+|\[erased\]")
YES: Final = re.compile(r"^\W*(?:yes|correct|confirmed|affirmative|agreed|true|we\s+do)\b", re.IGNORECASE)
NO: Final = re.compile(r"^\W*(?:no|not|n/?a|false|none|never)\b", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Found:
    """A promise in a text."""

    term: str
    amount: Decimal | None = None
    unit: str = ""
    words: str = ""
    quote: str
    clause: str = ""
    page: int = 1

    @property
    def fingerprint(self) -> str:
        """Equal for the same promise in the same words. Mail addresses do not count: they are erased from what is kept."""
        said = re.sub(r"\W+", " ", ADDRESS.sub(" ", self.quote)).casefold().strip()
        amount = "" if self.amount is None else f"{self.amount.normalize():f}"
        return sha256("\n".join([self.term, amount, self.unit, self.words, said]).encode()).hexdigest()


def find(pages: Iterable[tuple[int, str]]) -> list[Found]:
    """Find the promises in a document: pairs of a page's number and its text. The same words are found once."""
    found: dict[str, Found] = {}
    for page, sentence in sentences_of(pages):
        for term, value in _read(Passage(sentence.text, context=sentence.context)):
            one = Found(
                term=term,
                amount=value.amount,
                unit=value.unit,
                words=value.words,
                quote=_quote(sentence.text, value.at),
                clause=sentence.clause,
                page=page,
            )
            found.setdefault(one.fingerprint, one)
    return list(found.values())


def find_in_answer(question: str, answer: str) -> list[Found]:
    """Find what an answer promises: the question says what it is about, and with a plain `yes` how much it is, too."""
    if NO.match(answer):
        return []
    found = _told(answer, about=question)
    if not found and YES.match(answer):
        found = _told(question, about=question)
    # One answer gives one value for a term: the first that it names.
    return list({one.term: one for one in reversed(found)}.values())


def _told(text: str, *, about: str) -> list[Found]:
    about = " ".join(about.split())
    return [
        Found(term=term, amount=value.amount, unit=value.unit, words=value.words, quote=_quote(sentence, value.at))
        for paragraph in text[:20_000].split("\n\n")
        for sentence in split(paragraph)
        for term, value in _read(Passage(sentence[:2000], context=about[:2000], is_answer=True))
    ]


def _read(passage: Passage) -> Iterator[tuple[str, Value]]:
    for term, reader in READERS.items():
        if value := reader(passage):
            yield term, value


def _quote(sentence: str, at: int) -> str:
    """Keep a sentence as it is; of one without an end only what stands around the value."""
    if len(sentence) <= MAX_QUOTE_LENGTH:
        return sentence
    start, end = max(at - AROUND, 0), min(at + AROUND, len(sentence))
    return f"{'… ' if start else ''}{sentence[start:end].strip()}{' …' if end < len(sentence) else ''}"
