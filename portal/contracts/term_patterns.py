"""A contract's own term, renewal and notice, found in its text by patterns. Knows no database, and decides nothing.

What is found is offered to a person beside the fields. So a pattern rather misses something than take the notice of another
right, such as to end the contract for convenience or for a breach, for the notice that stops a renewal.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Final

from portal.lib.numbers_in_text import NUMBER, value

VERSION: Final = 1
MAX_PAGE, MAX_SENTENCE_LENGTH, MAX_QUOTE_LENGTH = 100_000, 2_000, 300
MAX_MONTHS, MAX_DAYS = 120, 1_100


class OwnTerm(StrEnum):
    """What a contract says about itself."""

    INITIAL = "initial"
    END = "end"
    RENEWAL = "renewal"
    NOTICE = "notice"


@dataclass(frozen=True, kw_only=True)
class FoundTerm:
    """One of them, and where it stands."""

    term: OwnTerm
    number: int = 0
    unit: str = ""
    """`days` or `months`."""
    on: date | None = None
    page: int
    quote: str


_UNITS: Final = {"day": ("days", 1), "week": ("days", 7), "month": ("months", 1), "year": ("months", 12)}
_LENGTH: Final = (
    rf"(?<![\w.,/-]){NUMBER}[\s-]*(?P<business>(?:business|working)[\s-]+)?(?:calendar[\s-]+|full[\s-]+|consecutive[\s-]+)?"
    r"(?P<unit>day|week|month|year)s?\b['’]?"
)
LENGTH: Final = re.compile(_LENGTH, re.IGNORECASE)
_MONTHS: Final = "January|February|March|April|May|June|July|August|September|October|November|December"
DATE: Final = re.compile(
    rf"(?:(?P<iso>\d{{4}}-\d{{2}}-\d{{2}})|(?P<m1>{_MONTHS})\s+(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y1>\d{{4}})|"
    rf"(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:day\s+of\s+)?(?P<m2>{_MONTHS}),?\s+(?P<y2>\d{{4}}))",
    re.IGNORECASE,
)
SENTENCE_ENDS: Final = re.compile(r"(?<=[.!?])[\"”’)]?\s+(?=[\"“(]?[A-Z0-9])|\n{2,}")
WHOLE: Final = r"(?:agreement|contract|order(?:\s+form)?|addendum|dpa|msa|subscription|statement\s+of\s+work)"


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern})", re.IGNORECASE)


TERM_IS: Final = _words(
    r"(?:initial|original|first)\s+(?:subscription\s+|service\s+|contract\s+)?(?:term|period)|"
    rf"term\s+of\s+(?:this|the)\s+{WHOLE}|subscription\s+term|"
    rf"(?:this|the)\s+{WHOLE}\s+(?:shall|will|is|has|remains?|continues?|commences?|begins?|enters?)\b"
)
LASTS: Final = _words(
    r"(?:initial|original|first|fixed)\s+(?:subscription\s+|service\s+|contract\s+)?(?:term|period)|continu\w+|remain\w*|"
    r"in\s+(?:full\s+)?(?:force|effect)|is\s+(?:valid|concluded|entered)|has\s+a\s+term|term\s+(?:of|is|shall|will)"
)
RENEWS: Final = _words(r"renew(?:s|ed|al|als|ing)?|extend(?:s|ed)?|extension|prolong(?:s|ed)?")
BY_ITSELF: Final = _words(r"automatic(?:ally)?|by\s+itself|tacit(?:ly)?|shall\s+be\s+(?:deemed\s+)?renewed|evergreen")
NOT_BY_ITSELF: Final = _words(
    r"(?:not|no|never)\s+(?!to\b)(?:be\s+)?(?:\w+\s+){0,2}?(?:automatic|renew|extend)\w*|by\s+mutual\s+(?:written\s+)?(?:agreement|consent)|"
    r"may\s+(?:be\s+)?(?:renew|extend)\w*|option\s+to\s+(?:renew|extend)|"
    r"(?:certificat|insurance|licen[cs]e\s+key|domain|password|policy|policies|permit|visa)\w*\s+(?:\w+\s+){0,3}?(?:renew|extend)\w*"
)
SUCCESSIVE: Final = _words(
    r"successive|additional|further|subsequent|consecutive|renewal\s+(?:term|period)s?|period|term|for|by"
)
YEARLY: Final = _words(r"year\s+to\s+year|(?:annual(?:ly)?|yearly)\s+(?:basis|terms?|periods?)|renew\w*\s+annually")
NOTICE: Final = _words(r"notice|notif(?:y|ies|ied|ying|ication)|non-?\s?renewal|advises?|informs?")
STOPS_RENEWAL: Final = _words(
    r"non-?\s?renew\w*|not\s+to\s+renew|(?:intent|intention|decision|election|desire|wish)\w*\s+not\s+to\s+(?:renew|extend)|does\s+not\s+wish\s+to\s+renew|"
    r"(?:prior\s+to|before|in\s+advance\s+of|preceding|to)\s+(?:the\s+)?(?:end|expiration|expiry|conclusion|close|renewal|last\s+day)\b|"
    r"(?:prior\s+to|before)\s+(?:any|each|such|the|its)\s+(?:\w+\s+)?(?:renewal|expir\w+|anniversary)|"
    r"(?:then-?\s?current|current|initial|renewal)\s+(?:\w+\s+)?(?:term|period)"
)
RIGHT_BEHIND: Final = re.compile(
    r"\W*(?:s\b\W*)?(?:(?:prior|written|advance|in|of)\s+)*(?:notice|advance|before|prior|ahead)\b", re.IGNORECASE
)
OTHER_RIGHT: Final = _words(
    r"breach|cure|remed(?:y|ies)|convenience|at\s+any\s+time|for\s+any\s+reason|without\s+cause|insolven|bankrupt|material|"
    r"sub-?\s?processor|price|fees?\s+(?:increase|change|adjust)|increase|audit|incident|invoice|payment|force\s+majeure|"
    r"delet(?:e|ion)|return\s+of|confidential|retain|retention|export"
)
ENDS_ON: Final = _words(
    r"expir(?:e|es|ing|ation|y)|terminat(?:e|es|ing)|ends?\b|ending|until|through(?:\s+and\s+including)?|continu\w+\s+(?:\w+\s+){0,4}?(?:until|through)"
)
NOT_THE_END: Final = _words(
    r"effective|dated|commenc|begin|start|entered\s+into|signed|invoice|payment|insurance|certificat|last\s+updated|as\s+amended|retain|report|survive|warrant"
)


def find_own_terms(pages: Iterable[tuple[int, str]]) -> list[FoundTerm]:
    """Find the first of each term in a document: pairs of a page's number and its text."""
    found: dict[OwnTerm, FoundTerm] = {}
    for page, text in pages:
        for sentence in _sentences(text):
            for one in _read(sentence, page):
                found.setdefault(one.term, one)
    return [found[term] for term in OwnTerm if term in found]


def _sentences(text: str) -> Iterator[str]:
    for piece in SENTENCE_ENDS.split(text[:MAX_PAGE]):
        # Words that were cut at the end of a line are made whole.
        line = " ".join(re.sub(r"(?<=[a-z])-\n\s*(?=[a-z])", "", piece).split())
        if line:
            yield line[:MAX_SENTENCE_LENGTH]


def _read(sentence: str, page: int) -> Iterator[FoundTerm]:
    for reader in READERS:
        if one := reader(sentence, page):
            yield one


def _initial(sentence: str, page: int) -> FoundTerm | None:
    """`an initial term of three (3) years`, `shall remain in force for a period of 36 months`."""
    if not TERM_IS.search(sentence):
        return None
    for match in LENGTH.finditer(sentence):
        before = sentence[max(match.start() - 90, 0) : match.start()]
        clause = re.split(r"[;]|\band\s+(?:shall|will)\b", before)[-1]
        is_of_renewal = RENEWS.search(clause) or NOTICE.search(clause) or OTHER_RIGHT.search(clause)
        is_of_notice = NOTICE.search(sentence[match.end() : match.end() + 30])
        if LASTS.search(clause) and not is_of_renewal and not is_of_notice:
            return _of_length(OwnTerm.INITIAL, match, sentence, page, least_months=1)
    return None


def _end(sentence: str, page: int) -> FoundTerm | None:
    """`shall continue until December 31, 2026`, `expires on 2026-12-31`."""
    for match in DATE.finditer(sentence):
        before = sentence[max(match.start() - 70, 0) : match.start()]
        nearest = _nearest(before, ENDS_ON)
        if nearest < 0 or _nearest(before, NOT_THE_END) > nearest:
            continue
        is_of_contract = re.search(rf"\b(?:{WHOLE}|term)\b", sentence[: match.start()], re.IGNORECASE)
        on = _day_of(match)
        if is_of_contract and on and not NOT_THE_END.search(sentence[: match.start()].partition(" ")[0]):
            return FoundTerm(term=OwnTerm.END, on=on, page=page, quote=_quote(sentence, match.start()))
    return None


def _renewal(sentence: str, page: int) -> FoundTerm | None:
    """`automatically renews for successive one (1) year terms`."""
    if not (RENEWS.search(sentence) and BY_ITSELF.search(sentence)) or NOT_BY_ITSELF.search(sentence):
        return None
    renews = RENEWS.search(sentence)
    for match in LENGTH.finditer(sentence):
        before = sentence[max(match.start() - 70, 0) : match.start()]
        behind = sentence[match.end() : match.end() + 30]
        if renews is None or match.start() < renews.start() or NOTICE.search(behind) or NOTICE.search(before):
            continue
        if SUCCESSIVE.search(before):
            return _of_length(OwnTerm.RENEWAL, match, sentence, page, least_months=1)
    if yearly := YEARLY.search(sentence):
        return FoundTerm(term=OwnTerm.RENEWAL, number=12, unit="months", page=page, quote=_quote(sentence, yearly.start()))
    return None


def _notice(sentence: str, page: int) -> FoundTerm | None:
    """`unless either party gives ninety (90) days' notice of non-renewal before the end of the then-current term`."""
    if not (NOTICE.search(sentence) and STOPS_RENEWAL.search(sentence)) or OTHER_RIGHT.search(sentence):
        return None
    is_of_renewal = RENEWS.search(sentence) or re.search(r"\bterm\b|\bexpir", sentence, re.IGNORECASE)
    # First those with the notice right behind them.
    lengths = sorted(LENGTH.finditer(sentence), key=lambda each: not RIGHT_BEHIND.match(sentence[each.end() :]))
    for match in lengths:
        around = sentence[max(match.start() - 80, 0) : match.end() + 90]
        behind = sentence[match.end() : match.end() + 90]
        is_ahead = NOTICE.search(behind) or STOPS_RENEWAL.search(behind)
        is_renewal = re.match(r"\W*(?:terms?|periods?|each|renewals?)\b", behind, re.IGNORECASE)
        if is_of_renewal and is_ahead and NOTICE.search(around) and not is_renewal and not match["business"]:
            return _of_length(OwnTerm.NOTICE, match, sentence, page)
    return None


READERS: Final[tuple[Callable[[str, int], FoundTerm | None], ...]] = (_initial, _end, _renewal, _notice)


def _of_length(term: OwnTerm, match: re.Match[str], sentence: str, page: int, *, least_months: int = 0) -> FoundTerm | None:
    unit, factor = _UNITS[match["unit"].lower()]
    number = value(match) * factor
    most = MAX_MONTHS if unit == "months" else MAX_DAYS
    if number != number.to_integral_value() or not 1 <= number <= most or (least_months and unit == "days"):
        return None
    return FoundTerm(term=term, number=int(number), unit=unit, page=page, quote=_quote(sentence, match.start()))


def _nearest(before: str, cue: re.Pattern[str]) -> int:
    return max((each.start() for each in cue.finditer(before)), default=-1)


def _day_of(match: re.Match[str]) -> date | None:
    try:
        if match["iso"]:
            return date.fromisoformat(match["iso"])
        month, day, year = (match["m1"] or match["m2"], match["d1"] or match["d2"], match["y1"] or match["y2"])
        return datetime.strptime(f"{day} {month} {year}", "%d %B %Y").date()  # noqa: DTZ007 - a day has no zone
    except ValueError:
        return None


def _quote(sentence: str, at: int) -> str:
    """Keep a sentence as it is; of a long one what stands around the value."""
    if len(sentence) <= MAX_QUOTE_LENGTH:
        return sentence
    start = max(at - MAX_QUOTE_LENGTH // 2, 0)
    end = min(start + MAX_QUOTE_LENGTH, len(sentence))
    return f"{'… ' if start else ''}{sentence[start:end].strip()}{' …' if end < len(sentence) else ''}"
