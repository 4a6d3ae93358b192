"""How each term is read out of a sentence: what has to stand there, what must not, and which amount is meant."""

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Final

from portal.commitments.models.terms import Term, Unit
from portal.commitments.text_extraction import patterns
from portal.commitments.text_extraction.numbers import Amount, percentages, shortened
from portal.commitments.text_extraction.passages import NEAR, Passage, Value
from portal.commitments.text_extraction.places import place_of
from portal.lib.numbers_in_text import NUMBER, value

YEAR: Final = (
    r"(?:(?:calendar|contract|rolling|consecutive)[\s-]+)?(?:year|annum|(?:twelve|12)(?:\s*\(12\))?[\s-]+months?(?:\s+period)?)"
)
TIMES: Final = re.compile(
    rf"\b(?:(?P<once>once|one\s+time|one\s+\(?1?\)?\s*audit|an\s+audit)|(?P<twice>twice)|{NUMBER}\s+(?:times|audits?|inspections?))\s+"
    rf"(?:(?!once|twice)\w+\s+)?(?:per|a|every|each|in\s+(?:any|each|every|a|one)|during\s+(?:any|each)|within\s+(?:any|each)|annually)\s*(?:given\s+)?"
    rf"(?:(?P<year>{YEAR})|(?P<half>six\s+months|half[\s-]year)|(?P<two>two\s+years|24\s+months))",
    re.IGNORECASE,
)
YEARLY: Final = re.compile(
    r"\b(?:(?:once\s+)?annual(?:ly)?|yearly)\b[^.]{0,40}\b(?:audit|inspect)|\b(?:audit|inspect)\w*\b[^.]{0,40}\b(?:annually|yearly|once\s+annually)\b",
    re.IGNORECASE,
)
WORDS_OF_HASTE: Final = re.compile(
    r"\b(?:(?P<delay>without\s+(?:undue|unreasonable)\s+delay)|(?P<now>immediately|promptly|as\s+soon\s+as\s+(?:reasonably\s+)?(?:practicable|possible)))\b",
    re.IGNORECASE,
)
CONSENT: Final = re.compile(
    r"\b(?:not|without|only\s+with|subject\s+to)\b[^.]{0,90}?\bprior\s+(?:specific\s+)?(?:written\s+)?(?:consent|approval|authori[sz]ation)\b",
    re.IGNORECASE,
)


type Read = Callable[[Passage], Value | None]


def breach_notice(passage: Passage) -> Value | None:
    """`notify the Customer of a Personal Data Breach without undue delay and in any event within 48 hours`."""
    passage = passage.without(patterns.BREACH_OF_CONTRACT).without(patterns.CUSTOMER_MUST)
    passage = passage.without(patterns.AUTHORITY, unless=patterns.TO_CUSTOMER)
    text = passage.text
    is_breach = passage.is_about(patterns.BREACH) and (passage.is_answer or passage.is_about(patterns.OF_DATA))
    if not (passage.is_about(patterns.INCIDENT) or is_breach) or not passage.mentions(patterns.TELLS):
        return None
    if found := _first(passage.limits(but=re.compile(r"\b(?:cure|remed|terminat|invoice|pay)", re.IGNORECASE)), _days):
        return found
    words = None if passage.lengths else WORDS_OF_HASTE.search(text)
    is_said = patterns.INCIDENT.search(text) or patterns.BREACH.search(text) or passage.is_answer
    if words is None or not (patterns.TELLS.search(text) and is_said):
        return None
    return Value(words.start(), words="without undue delay" if words["delay"] else words[0].lower())


def subprocessor_notice(passage: Passage) -> Value | None:
    """`at least 30 days' prior written notice of any new sub-processor`; what belongs to an objection is another thing."""
    passage = passage.without(patterns.CUSTOMER_MUST)
    if (
        not passage.is_about(patterns.SUBPROCESSOR)
        or patterns.INCIDENT.search(passage.text)
        or patterns.BREACH.search(passage.text)
    ):
        return None
    if passage.mentions(patterns.TELLS) and passage.mentions(patterns.CHANGE):
        ahead = (each for each in passage.limits(but=patterns.OBJECTS) if passage.is_answer or _is_ahead(passage, each))
        found = _first(ahead, (Unit.DAYS, Unit.BUSINESS_DAYS, Unit.MONTHS))
        if found:
            return found
    consent = CONSENT.search(passage.text)
    if consent and patterns.SUBPROCESSOR.search(passage.text) and not passage.lengths:
        return Value(consent.start(), words="only with prior written consent")
    return None


def deletion(passage: Passage) -> Value | None:
    """`return or delete all Personal Data within ninety days after termination`."""
    passage = passage.without(patterns.CUSTOMER_MUST)
    if not (passage.mentions(patterns.DELETES) and passage.mentions(patterns.AT_THE_END) and passage.is_about(patterns.DATA)):
        return None
    deletes = [match.start() for match in patterns.DELETES.finditer(passage.text)] or [0]
    fitting = [
        each
        for each in passage.limits(but=patterns.FETCHES)
        if not _is_kept(passage, each) and not patterns.BEHIND_DELETION.search(passage.text[each.end :])
    ]
    nearest = min(fitting, key=lambda each: min(abs(each.start - start) for start in deletes), default=None)
    return _value(nearest)


def retention(passage: Passage) -> Value | None:
    """`audit logs are retained for at least twelve months`."""
    passage = passage.without(patterns.CUSTOMER_MUST)
    if not (passage.mentions(patterns.KEEPS) and passage.mentions(patterns.KEPT)):
        return None
    if re.search(r"\b(?:insurance|confidential|surviv|warrant|certificat)", passage.text, re.IGNORECASE):
        return None
    if not passage.is_answer:
        return _value(next((each for each in passage.lengths if _is_kept(passage, each)), None))
    if patterns.DELETES.search(passage.context) and not patterns.KEEPS.search(passage.text):
        return None
    return _first(passage.limits(but=patterns.DELETES), (Unit.HOURS, Unit.DAYS, Unit.BUSINESS_DAYS, Unit.MONTHS))


def audit_rights(passage: Passage) -> Value | None:
    """`Customer may audit Provider once per calendar year`. One that we have made of ourselves is no right of a customer."""
    if not (passage.mentions(patterns.AUDITS) and passage.mentions(patterns.MAY) and passage.is_about(patterns.TO_CUSTOMER)):
        return None
    if match := TIMES.search(passage.text):
        times = Decimal(1) if match["once"] else Decimal(2) if match["twice"] else value(match)
        times = times * 2 if match["half"] else times / 2 if match["two"] else times
        return Value(match.start(), amount=shortened(times), unit=Unit.TIMES_A_YEAR)
    yearly = YEARLY.search(passage.text)
    return Value(yearly.start(), amount=Decimal(1), unit=Unit.TIMES_A_YEAR) if yearly else None


def availability(passage: Passage) -> Value | None:
    """`available 99.9% of the time`; the steps of a table of credits are none."""
    if not passage.mentions(patterns.AVAILABLE):
        return None
    is_about = passage.is_about(patterns.SERVICE)
    for each in percentages(passage.text):
        if not is_about and not patterns.AVAILABILITY_OF.search(passage.text[max(each.start - NEAR, 0) : each.start]):
            continue
        is_step = patterns.FALLS_BELOW.search(passage.text[max(each.start - 30, 0) : each.start])
        if 90 <= each.amount <= 100 and not is_step:
            return _value(each)
    return None


def data_location(passage: Passage) -> Value | None:
    """`stored and processed exclusively within the European Economic Area`."""
    if not passage.is_about(patterns.DATA):
        return None
    text = f"{passage.context} " if passage.is_answer else ""
    found = place_of(text + passage.text)
    if found is None or found[1] < len(text):
        return None
    return Value(found[1] - len(text), words=found[0])


READERS: Final[dict[str, Read]] = {
    Term.BREACH_NOTICE: breach_notice,
    Term.SUBPROCESSOR_NOTICE: subprocessor_notice,
    Term.DELETION: deletion,
    Term.AUDIT_RIGHTS: audit_rights,
    Term.DATA_LOCATION: data_location,
    Term.RETENTION: retention,
    Term.AVAILABILITY: availability,
}
_days: Final = (Unit.HOURS, Unit.DAYS, Unit.BUSINESS_DAYS)


def _first(amounts: Iterator[Amount], units: tuple[Unit, ...]) -> Value | None:
    return _value(next((each for each in amounts if each.unit in units), None))


def _value(amount: Amount | None) -> Value | None:
    return Value(amount.start, amount=amount.amount, unit=amount.unit) if amount else None


def _is_ahead(passage: Passage, amount: Amount) -> bool:
    """Say whether something is told that long before it happens."""
    before, behind = passage.text[max(amount.start - NEAR, 0) : amount.start], passage.text[amount.end : amount.end + NEAR]
    return bool(patterns.AHEAD.search(re.split(r"[,;]", behind)[0]) or patterns.AHEAD.search(re.split(r"[,;]", before)[-1]))


def _is_kept(passage: Passage, amount: Amount) -> bool:
    """Say whether something is kept for that long: `for` stands before the length, and a word of keeping before that."""
    before = passage.text[max(amount.start - 120, 0) : amount.start]
    match = re.search(
        r"\b(?:for|than|exceed(?:ing)?|period\s+(?:is|of))\s+(?:(?:a|the|minimum|maximum|rolling|period|of|at|least|most|up|to|no|longer|more|not|less|than)\s+)*$",
        before,
        re.IGNORECASE,
    )
    return bool(match and patterns.KEEPS.search(before[: match.start()] or ""))
