"""Why an answer to one question may not be one to another that is like it: its sense, its subject, its figures, its date."""

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from typing import Final

from portal.library.lexicon import NEGATION, stem, stems
from portal.library.terms import Terms, terms_of, terms_of_stems


class Caveat(StrEnum):
    """What stands against giving an answer again."""

    CONTRARY = "contrary"
    SCOPE = "scope"
    NUMBERS = "numbers"
    TIME = "time"


def _stemmed(words: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words.split())


def _concepts(phrases: str) -> frozenset[str]:
    return frozenset(term for phrase in phrases.split("|") for term in terms_of(phrase) if term.startswith("@"))


TURNING: Final = (
    _stemmed("allow permit can could able possible might free enable capable"),
    _stemmed("ever still anyone anybody someone somebody unrestricted indefinitely forever"),
    _stemmed("unencrypted unmanaged unprotected unpatched unsupported unsecured plaintext plain cleartext clear hardcoded"),
    _stemmed("shared share sharing common generic"),
    _stemmed("except exempt exception bypass circumvent disable disabled skip waive optional override outside beyond"),
    _stemmed("only solely alone merely just sole single nothing nobody"),
    _stemmed("fail failed failure lack missing overdue outstanding breach breached violation incident leak leaked lost"),
    _stemmed("exclude excluded limit limited restrict restricted prevent prohibit block deny"),
)
"""Groups of words that turn a question around, or narrow it: both of two questions have one of a group, or neither has."""
ALL: Final = _stemmed("all every each always entire any everyone everybody whole fully throughout")
TIME_WORDS: Final = _stemmed(
    "last past previous recent recently latest current currently today upcoming planned next since yet"
)
FREQUENCIES: Final = tuple(
    _stemmed(words)
    for words in (
        "annual annually yearly year years",
        "quarterly quarter",
        "monthly month months",
        "weekly week weeks",
        "daily day days",
        "continuous continuously",
        "semiannual semiannually biannual biannually",
        "hour hours hourly",
    )
)


@cache
def _scope() -> frozenset[str]:
    """What a question is about beside its subject: encryption of backups says nothing about laptops."""
    return _concepts(
        "customer data|personal data|backups|laptops|mobile devices|vendors|subprocessors|contractors|remote access|employees"
        "|logs|administrators|data center|wireless"
    ) - {"@customer"}


SCOPE_WORDS: Final = _stemmed(
    "production live staging test development source code server database office cloud premises eu european us usa germany uk"
    " internal external third public private"
)
"""The same, where the lexicon has no concept for it."""
NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")


def caveats(asked: str, known: Iterable[str], answer: str) -> set[Caveat]:
    """Compare a question with an earlier one, in stems, and its answer."""
    earlier = list(known)
    words, before, said = set(stems(asked)), set(earlier), set(stems(answer))
    terms, given = terms_of(asked), terms_of_stems(earlier)
    found = set()
    if _asks_contrary(words, before, terms, given):
        found.add(Caveat.CONTRARY)
    if _is_broader(words, before, said) or before & SCOPE_WORDS - words or _is_about_other(terms, given, terms_of(answer)):
        found.add(Caveat.SCOPE)
    if _numbers(words) - _numbers(before | said) or _misses_frequency(words, before | said):
        found.add(Caveat.NUMBERS)
    return found


def asks_of_time(question: str) -> bool:
    """Say whether the right answer to a question changes with the day on which it is asked."""
    return bool({*stems(question)} & TIME_WORDS)


def _asks_contrary(words: set[str], before: set[str], terms: Terms, given: Terms) -> bool:
    if (NEGATION in terms) != (NEGATION in given):
        return True
    return any(bool(words & group) != bool(before & group) for group in TURNING)


def _is_broader(words: set[str], before: set[str], said: set[str]) -> bool:
    known = before | said
    return bool(words & SCOPE_WORDS - known) or bool(words & ALL and not known & ALL)


def _is_about_other(terms: Terms, given: Terms, answer: Terms) -> bool:
    """The question names what the earlier one and its answer do not, or the earlier one was about a part of it only."""
    wanted, told = _scope() & terms.keys(), _scope() & given.keys()
    return bool(wanted - told - answer.keys() or told - wanted)


def _numbers(words: set[str]) -> set[str]:
    return {word for word in words if NUMBER.fullmatch(word)}


def _misses_frequency(words: set[str], known: set[str]) -> bool:
    return any(words & group and not known & group for group in FREQUENCIES)
