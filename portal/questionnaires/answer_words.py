"""The words of an answer as far as they say something: stock sentences, courtesy, names and dates are set aside.

Pure functions. Each word keeps its place in the text, so that what two answers say differently can be marked in both.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from portal.lib.text_keys import key_of

WORD: Final = re.compile(r"\d+(?:[.,]\d+)*(?:\s?%)?|[^\W\d_]+(?:['’][^\W\d_]+)*")
SENTENCE: Final = re.compile(r"[^\n]*?[.!?](?=\s|$)|[^\n]+")
"""A line that ends without a mark is a sentence, too."""
COURTESY: Final = re.compile(
    r"\b(?:thank you|thanks|please (?:contact|let|see|refer|reach|ask|do not hesitate)|let us know|feel free|hesitate to"
    r"|(?:happy|glad|pleased) to (?:share|provide|discuss|help|answer)|(?:best|kind) regards)\b",
    re.IGNORECASE,
)
MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
YEAR: Final = r"(?:19[89]\d|20[0-4]\d)"
DATE: Final = re.compile(
    rf"(?:\b(?:in|on)\s+)?(?:\b{YEAR}-\d\d?-\d\d?\b|\b\d\d?[/.]\d\d?[/.](?:{YEAR})\b"
    rf"|\b(?:\d\d?(?:st|nd|rd|th)?\s+(?:of\s+)?)?{MONTH},?\s+{YEAR}\b"
    rf"|\b{MONTH}\s+\d\d?(?:st|nd|rd|th)?(?:,?\s+{YEAR})?\b|\b\d\d?(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH}(?!\w)"
    rf"|\b(?:q[1-4]|h[12]|fy)[\s/-]?{YEAR}\b)"
    # A year alone is one only where it reads like one: 2000 employees and RSA 2048 are figures.
    rf"|(?<=\bin )\b{YEAR}\b(?=\s*(?:$|[.,;:)]|(?:and|by|with|to|for|when|as)\b))"
    rf"|(?<=\bsince )\b{YEAR}\b|(?<=\bthe ){YEAR}(?=\s+(?:audit|report|assessment|review|test)\b)",
    re.IGNORECASE,
)
NEGATIONS: Final = frozenset({"not", "no", "never", "none", "cannot", "without", "neither", "nor"})
UNITS: Final = {
    name: unit
    for unit, names in {
        "second": "seconds sec secs",
        "minute": "minutes min mins",
        "hour": "hours hr hrs",
        "day": "days",
        "week": "weeks",
        "month": "months",
        "year": "years yr yrs",
        "bit": "bits",
        "%": "percent",
    }.items()
    for name in [unit, *names.split()]
}
NUMBERS: Final = dict(
    zip(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
        map(str, range(13)),
        strict=True,
    )
)
SAME: Final = {"yearly": "annually", "annual": "annually"}
FREQUENCIES: Final = frozenset(["hourly", "daily", "weekly", "monthly", "quarterly", "annually", "twice"])
FORMS_OF_COMPANY: Final = re.compile(
    r"[\s,]+(?:inc|ltd|llc|limited|corp|corporation|gmbh|ag|plc|co|company|sa|bv)\.?$", re.IGNORECASE
)
MIN_STOCK_WORDS: Final = 4
"""A shorter sentence may be the whole answer."""


@dataclass(frozen=True)
class SetAside:
    """What says nothing about the matter in the answers of one tenant to one customer."""

    names: Collection[str] = ()
    stock: Collection[str] = frozenset()
    """The keys of the tenant's stock sentences (`key_of`)."""


@dataclass(frozen=True)
class Word:
    """A word that counts, as it is compared, and where it stands in the text."""

    text: str
    start: int
    end: int

    @property
    def is_figure(self) -> bool:
        return self.text[0].isdigit() or self.text in FREQUENCIES


def words_that_count(text: str, aside: SetAside) -> list[Word]:
    """Return the words of a text that say something, in their order."""
    spans = list(_spans_aside(text, aside))
    found = []
    for match in WORD.finditer(text):
        if not any(start < match.end() and match.start() < end for start, end in spans):
            found += [Word(word, match.start(), match.end()) for word in _normal(match[0])]
    return found


def sentences(text: str) -> list[tuple[int, int]]:
    """Return where the sentences of a text begin and end."""
    return [match.span() for match in SENTENCE.finditer(text) if match[0].strip()]


def stock_key(sentence: str) -> str:
    """Return the key of a sentence that may be a stock sentence; empty for one that says a figure, a Yes or a No."""
    words = [word for match in WORD.finditer(sentence) for word in _normal(match[0])]
    is_short = len(words) < MIN_STOCK_WORDS
    says = any(word in NEGATIONS or word in FREQUENCIES or word[0].isdigit() for word in words)
    return "" if is_short or says or words[0] == "yes" else key_of(sentence)


def _normal(written: str) -> list[str]:
    """Return how a word is compared: without case and ligatures, figures as figures, “don't” as two words."""
    word = unicodedata.normalize("NFKC", written).casefold().replace("’", "'")
    if word[:1].isdigit():
        return _figure(word)
    if word.endswith("n't") or word == "cannot":
        return [{"can't": "can", "cannot": "can", "won't": "will"}.get(word, word[:-3]), "not"]
    word = word.removesuffix("'s")
    return [UNITS.get(word) or NUMBERS.get(word) or SAME.get(word) or word]


def _figure(word: str) -> list[str]:
    number, is_percent = word.rstrip("% "), word.endswith("%")
    number = re.sub(r",(?=\d{3}(?:\D|$))", "", number)
    return [number.lstrip("0") or "0", *(["%"] if is_percent else [])]


def _spans_aside(text: str, aside: SetAside) -> Iterator[tuple[int, int]]:
    for start, end in sentences(text):
        sentence = text[start:end]
        if (COURTESY.search(sentence) and not _says_a_figure(sentence)) or stock_key(sentence) in aside.stock:
            yield start, end
    for match in DATE.finditer(text):
        yield match.span()
    for name in _written(aside.names):
        # As it is written: a company may be called like an everyday word.
        yield from (match.span() for match in re.finditer(rf"(?<!\w){re.escape(name)}(?:['’]s)?(?!\w)", text))


def _says_a_figure(sentence: str) -> bool:
    return bool(re.search(r"\d", sentence) or re.match(r"\s*(?:yes|no)\b", sentence, re.IGNORECASE))


def _written(names: Collection[str]) -> set[str]:
    return {each for name in names for each in (name.strip(), FORMS_OF_COMPANY.sub("", name.strip())) if len(each) > 1}
