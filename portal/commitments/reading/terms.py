"""How each term is read out of a sentence: what has to stand there, what must not, and which amount is meant."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Final

from portal.commitments.models.terms import Term, Unit
from portal.commitments.reading import cues
from portal.commitments.reading.numbers import NUMBER, Amount, lengths, percentages, shortened, value
from portal.commitments.reading.places import place_of

NEAR = 70
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


@dataclass(frozen=True)
class Value:
    """What is promised, and where that stands in the sentence."""

    at: int
    amount: Decimal | None = None
    unit: str = ""
    words: str = ""


@dataclass(frozen=True)
class Place:
    """A sentence, and what tells what it is about: what stands before it in a contract, the question of an answer."""

    text: str
    context: str = ""
    is_answer: bool = False

    @cached_property
    def lengths(self) -> list[Amount]:
        return list(lengths(self.text))

    def says(self, cue: re.Pattern[str]) -> bool:
        """Say whether it stands in the sentence; an answer means what its question asks about."""
        return bool(cue.search(self.text)) or (self.is_answer and bool(cue.search(self.context)))

    def is_about(self, cue: re.Pattern[str]) -> bool:
        """Say whether the sentence is about it, or what stands before it."""
        return bool(cue.search(self.text) or cue.search(self.context))

    def limits(self, *, but: re.Pattern[str] | None = None) -> Iterator[Amount]:
        """Walk the lengths that are a limit, those first that say so; `but` is what a length must not belong to."""
        fitting = [each for each in self.lengths if but is None or not self._belongs(each, but)]
        said = [each for each in fitting if cues.LIMIT.search(self.text[max(each.start - NEAR, 0) : each.start])]
        yield from said
        yield from (each for each in fitting if each not in said)

    def _belongs(self, amount: Amount, cue: re.Pattern[str]) -> bool:
        """Say whether the nearest such word stands right before an amount, or right behind it."""
        before = self.text[max(amount.start - NEAR, 0) : amount.start]
        behind = self.text[amount.end : amount.end + NEAR // 2]
        return bool(cue.search(re.split(r"[,;]", before)[-1]) or cue.search(re.split(r"[,;]", behind)[0]))


type Read = Callable[[Place], Value | None]


def breach_notice(place: Place) -> Value | None:
    """`notify the Customer of a Personal Data Breach without undue delay and in any event within 48 hours`."""
    text = cues.BREACH_OF_CONTRACT.sub(lambda match: " " * len(match[0]), place.text)
    is_incident = cues.INCIDENT.search(text) or cues.INCIDENT.search(cues.BREACH_OF_CONTRACT.sub("", place.context))
    if not (is_incident and place.says(cues.TELLS)) or cues.CUSTOMER_MUST.search(text):
        return None
    if text != place.text and not cues.INCIDENT.search(text):
        return None
    rest = cues.AUTHORITY.sub(" ", text)
    if rest != text and not cues.TO_CUSTOMER.search(rest):
        return None
    if found := _first(place.limits(but=re.compile(r"\b(?:cure|remed|terminat|invoice|pay)", re.IGNORECASE)), _days):
        return found
    words = None if place.lengths else WORDS_OF_HASTE.search(text)
    if words is None or not (cues.TELLS.search(text) and (cues.INCIDENT.search(text) or place.is_answer)):
        return None
    return Value(words.start(), words="without undue delay" if words["delay"] else words[0].lower())


def subprocessor_notice(place: Place) -> Value | None:
    """`at least 30 days' prior written notice of any new sub-processor`; what belongs to an objection is another thing."""
    is_about = place.is_about(cues.SUBPROCESSOR)
    if not is_about or cues.INCIDENT.search(place.text) or cues.CUSTOMER_MUST.search(place.text):
        return None
    if place.says(cues.TELLS) and place.says(cues.CHANGE):
        found = _first(place.limits(but=cues.OBJECTS), (Unit.DAYS, Unit.BUSINESS_DAYS, Unit.MONTHS))
        if found:
            return found
    consent = CONSENT.search(place.text)
    if consent and cues.SUBPROCESSOR.search(place.text) and not place.lengths:
        return Value(consent.start(), words="only with prior written consent")
    return None


def deletion(place: Place) -> Value | None:
    """`return or delete all Personal Data within ninety days after termination`."""
    if not (place.says(cues.DELETES) and place.says(cues.AT_THE_END) and place.is_about(cues.DATA)):
        return None
    if cues.CUSTOMER_MUST.search(place.text):
        return None
    deletes = [match.start() for match in cues.DELETES.finditer(place.text)] or [0]
    fitting = [each for each in place.limits(but=cues.FETCHES) if not _is_kept(place, each)]
    nearest = min(fitting, key=lambda each: min(abs(each.start - start) for start in deletes), default=None)
    return _value(nearest)


def retention(place: Place) -> Value | None:
    """`audit logs are retained for at least twelve months`."""
    if not (place.says(cues.KEEPS) and place.says(cues.KEPT)) or cues.CUSTOMER_MUST.search(place.text):
        return None
    if re.search(r"\b(?:insurance|confidential|surviv|warrant|certificat)", place.text, re.IGNORECASE):
        return None
    if not place.is_answer:
        return _value(next((each for each in place.lengths if _is_kept(place, each)), None))
    if cues.DELETES.search(place.context) and not cues.KEEPS.search(place.text):
        return None
    return _first(place.limits(but=cues.DELETES), (Unit.HOURS, Unit.DAYS, Unit.BUSINESS_DAYS, Unit.MONTHS))


def audit_rights(place: Place) -> Value | None:
    """`Customer may audit Provider once per calendar year`. One that we have made of ourselves is no right of a customer."""
    if not (place.says(cues.AUDITS) and place.says(cues.MAY) and place.is_about(cues.TO_CUSTOMER)):
        return None
    if match := TIMES.search(place.text):
        times = Decimal(1) if match["once"] else Decimal(2) if match["twice"] else value(match)
        times = times * 2 if match["half"] else times / 2 if match["two"] else times
        return Value(match.start(), amount=shortened(times), unit=Unit.TIMES_A_YEAR)
    yearly = YEARLY.search(place.text)
    return Value(yearly.start(), amount=Decimal(1), unit=Unit.TIMES_A_YEAR) if yearly else None


def availability(place: Place) -> Value | None:
    """`available 99.9% of the time`; the steps of a table of credits are none."""
    if not place.says(cues.AVAILABLE):
        return None
    for each in percentages(place.text):
        is_step = cues.FALLS_BELOW.search(place.text[max(each.start - 30, 0) : each.start])
        if 90 <= each.amount <= 100 and not is_step:
            return _value(each)
    return None


def data_location(place: Place) -> Value | None:
    """`stored and processed exclusively within the European Economic Area`."""
    if not place.is_about(cues.DATA):
        return None
    text = f"{place.context} " if place.is_answer else ""
    found = place_of(text + place.text)
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


def _is_kept(place: Place, amount: Amount) -> bool:
    """Say whether something is kept for that long: `for` stands before the length, and a word of keeping before that."""
    before = place.text[max(amount.start - 120, 0) : amount.start]
    match = re.search(
        r"\b(?:for|than|exceed(?:ing)?|period\s+(?:is|of))\s+(?:(?:a|the|minimum|maximum|rolling|period|of|at|least|most|up|to|no|longer|more|not|less|than)\s+)*$",
        before,
        re.IGNORECASE,
    )
    return bool(match and cues.KEEPS.search(before[: match.start()] or ""))
