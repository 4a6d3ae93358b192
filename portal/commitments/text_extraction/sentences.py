"""The text of a page as sentences, each with the number of the clause that it stands in."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

MAX_PAGE = 100_000
"""So much of a page is looked at: nobody writes more, and what is longer is no page."""
MAX_SENTENCE_LENGTH = 2000
MAX_HEADING_LENGTH = 80
FINISHED: Final = (".", ";", ":", "!", "?", "”", '"', ")")
CLAUSE: Final = re.compile(
    r"^[ \t]*(?:(?:(?:§+|section|clause|article|art\.|sec\.)[ \t]*)?"
    r"(?P<number>(?:[A-Z]\.)?\d{1,3}(?:\.\d{1,3}){0,4}(?:[ \t]?\([a-z0-9]{1,4}\))?|[A-Z]\.\d{1,2})[.):]?"
    r"(?=[ \t]+(?-i:[A-Z“\"‘]))|(?P<point>\((?:[a-z]|[ivx]{1,4})\))(?=[ \t]+\S))",
    re.IGNORECASE,
)
PAGE_NUMBER: Final = re.compile(
    r"^[ \t]*(?:page[ \t]+)?\d{1,4}(?:[ \t]*(?:of|/|-)[ \t]*\d{1,4})?[ \t]*$", re.IGNORECASE | re.MULTILINE
)
NAMED: Final = re.compile(r"^[ \t]*(?:§|section|clause|article|art\.|sec\.)", re.IGNORECASE)
NO_CLAUSE: Final = re.compile(
    r"[ \t]+[(“\"']?(?:minutes?|hours?|hrs?|days?|weeks?|months?|years?|business|working|calendar|consecutive|per\s?cent|"
    r"times|january|february|march|april|may|june|july|august|september|october|november|december)\b",
    re.IGNORECASE,
)
ENDS: Final = re.compile(r"(?<=[.!?])[\"”’)]?\s+(?=[\"“(]?[A-Z0-9])|[.;:]?\n{2,}|;\s+(?:and\s+|or\s+)?(?=\([a-z]{1,3}\))")
ABBREVIATION: Final = re.compile(
    r"(?:\b(?:no|nos|art|arts|sec|cl|para|inc|ltd|corp|co|e\.g|i\.e|cf|approx|vs|mr|ms|dr|st)|\b[A-Z])\.$", re.IGNORECASE
)


@dataclass(frozen=True)
class Sentence:
    """A sentence on one line."""

    text: str
    clause: str
    """The number that stands before it, such as `7.2`; empty where none does."""
    context: str = ""
    """The heading of its clause and the sentence before it there."""


def sentences_of(pages: Iterable[tuple[int, str]]) -> Iterator[tuple[int, Sentence]]:
    """Walk the sentences of a document with the number of the page on which each begins, also of those that end on the next."""
    clause, rest, rest_page = "", "", 0
    for number, text in pages:
        page = PAGE_NUMBER.sub("", text[:MAX_PAGE]).strip()
        if rest and not _goes_on(rest, page):
            yield rest_page, Sentence(rest, clause)
            rest = ""
        begins_on = rest_page if rest else number
        found = list(_sentences(f"{rest} {page}" if rest else page, clause))
        clause, rest = (found[-1].clause if found else clause), ""
        if found and not found[-1].text.endswith(FINISHED):
            rest = found.pop().text
            rest_page = number if found else begins_on
        for position, sentence in enumerate(found):
            yield (begins_on if position == 0 else number), sentence
    if rest:
        yield rest_page, Sentence(rest, clause)


def _goes_on(rest: str, page: str) -> bool:
    """Say whether a sentence that did not end goes on with the next page: not a heading, nor one that is longer than any."""
    if not page or len(rest) >= MAX_SENTENCE_LENGTH or CLAUSE.match(page):
        return False
    return len(rest) > MAX_HEADING_LENGTH or not page[0].isupper()


def _sentences(page: str, clause: str) -> Iterator[Sentence]:
    lead = ""
    for number, paragraph in _paragraphs(page):
        is_point = number.startswith("(")
        clause = _joined(clause, number) if number else clause
        before = lead if is_point else ""
        for text in split(paragraph):
            yield Sentence(text[:MAX_SENTENCE_LENGTH], clause, before)
            before = f"{_heading(before)} {text}".strip()[-MAX_SENTENCE_LENGTH:]
        if not is_point:
            lead = before


def split(paragraph: str) -> list[str]:
    """Cut a paragraph into sentences."""
    found, start = [], 0
    for end in ENDS.finditer(paragraph):
        piece = paragraph[start : end.start()]
        if not piece.strip() or ("\n\n" not in end[0] and ABBREVIATION.search(piece[-12:])):
            continue
        found.append(_line(piece))
        start = end.end()
    return [text for text in (*found, _line(paragraph[start:])) if text]


def _paragraphs(page: str) -> Iterator[tuple[str, str]]:
    """Cut a page where a clause begins: number and text."""
    number, lines = "", list[str]()
    for line in page.replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ").replace("\xad", "").split("\n"):
        match = CLAUSE.match(line)
        if match and (NAMED.match(line) or not NO_CLAUSE.match(line, match.end())):
            yield number, "\n".join(lines)
            number, lines = (match["number"] or match["point"]).replace(" ", ""), [line[match.end() :]]
        else:
            lines.append(line)
    yield number, "\n".join(lines)


def _joined(clause: str, number: str) -> str:
    """`(a)` belongs to the clause it stands in: `7.2(a)`."""
    return f"{clause.partition('(')[0]}{number}"[:60] if number.startswith("(") else number[:60]


def _heading(text: str) -> str:
    """A first sentence that is short is the heading: `Personal Data Breach.`"""
    first = split(text)[0] if text else ""
    return first if len(first) <= MAX_HEADING_LENGTH else ""


def _line(text: str) -> str:
    # Words that were cut at the end of a line are made whole.
    return " ".join(re.sub(r"(?<=[a-z])-\n\s*(?=[a-z])", "", text).split())
