"""What a text may not tell outside: the names, domains and addresses of customers. They are put back into what returns."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from portal.accounts.models import Account
from portal.accounts.selectors import fold_domain
from portal.platform_api.errors import EMAIL

WORD: Final = re.compile(r"\w+")
HOST: Final = re.compile(r"[\w-]+(?:\.[\w-]+)*")
MARKS: Final = frozenset(",&+/()'’-–")
"""What may stand between two words of a name, whatever stands there in the name itself. A full stop ends a sentence."""
EDGE: Final = r"(?!(?<=\w)\w)"
"""Anywhere but within a word."""
MIN_NAME_LENGTH: Final = 3
AT_ONCE: Final = 2000
PLACEHOLDER: Final = re.compile(r"\[(?:CUSTOMER|EMAIL)-\d+\]")
"""What is left of these once all are put back was made up."""


class Redaction:
    """Replaces what names somebody by placeholders, the same one each time, and puts it back."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._placeholders: dict[str, str] = {}
        self._originals: dict[str, str] = {}
        # No name holds this character: none is found across two texts.
        joined = "\0".join(texts)
        for name, spelling in [*_names_in(joined), *_domains_in(joined)]:
            self._add(spelling, name, "CUSTOMER")
        for address in EMAIL.findall(joined):
            self._add(address, address, "EMAIL")
        # The longest first: a name may be a part of another one.
        spellings = sorted(self._placeholders, key=len, reverse=True)
        self._pattern = re.compile("|".join(f"{EDGE}{re.escape(each)}{EDGE}" for each in spellings)) if spellings else None

    def hide(self, text: str) -> str:
        """Replace what names somebody in one of the texts."""
        return self._pattern.sub(lambda found: self._placeholders[found[0]], text) if self._pattern else text

    def put_back(self, text: str) -> str:
        for placeholder, original in self._originals.items():
            text = text.replace(placeholder, original)
        return text

    def _add(self, spelling: str, original: str, kind: str) -> None:
        """Have a spelling replaced. All spellings of one name have the same placeholder."""
        known = {each.casefold(): placeholder for placeholder, each in self._originals.items()}
        placeholder = known.get(original.casefold(), f"[{kind}-{len(known) + 1}]")
        self._originals.setdefault(placeholder, original)
        self._placeholders.setdefault(spelling, placeholder)


class _Words:
    """A text by its words, in which a name is found however it is written there."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._words = [(found[0].casefold(), *found.span()) for found in WORD.finditer(text)]
        self._places = defaultdict[str, list[int]](list)
        for place, (word, _, _) in enumerate(self._words):
            self._places[word].append(place)

    def spellings(self, name: str) -> Iterator[str]:
        """Give the ways a name is written: its words, with any capitals, and with other marks and spaces between them."""
        first = WORD.search(name)
        if first is None or first[0].casefold() not in self._places:
            return  # as almost every name
        parts = [*WORD.finditer(name)]
        words = [part[0].casefold() for part in parts]
        before, after = name[: parts[0].start()], name[parts[-1].end() :]
        for place in self._places[words[0]]:
            found = self._words[place : place + len(words)]
            if [word for word, _, _ in found] != words or not self._are_joined(found, name):
                continue
            start, end = found[0][1], found[-1][2]
            start -= len(before) if self._text.endswith(before, 0, start) else 0
            end += len(after) if self._text.startswith(after, end) else 0
            yield self._text[start:end]

    def _are_joined(self, words: list[tuple[str, int, int]], name: str) -> bool:
        """Say whether nothing stands between the words that parts them."""
        gaps = [self._text[left[2] : right[1]] for left, right in pairwise(words)]
        return all(mark.isspace() or mark in MARKS or mark in name for gap in gaps for mark in gap)


def _names_in(text: str) -> list[tuple[str, str]]:
    """Return the names of customers that a text has, each with how it is written there; those written as they are first."""
    words = _Words(text)
    # Compared here: no database folds the letters of every language, and marks are written in many ways.
    names = Account.objects.order_by().values_list("name", flat=True).iterator(AT_ONCE)
    # A full stop at the end may be the sentence's own.
    long = (name for each in names if len(name := each.strip(" .")) >= MIN_NAME_LENGTH)
    found = {(name, spelling) for name in long for spelling in words.spellings(name)}
    return sorted(found, key=lambda pair: (pair[0].casefold() != pair[1].casefold(), pair))


def _domains_in(text: str) -> list[tuple[str, str]]:
    """Return the same of their domains, also where a host of one is named."""
    spellings = defaultdict[str, set[str]](set)
    for host in set(HOST.findall(text)):
        labels = host.split(".")
        for start in range(len(labels)):
            domain = ".".join(labels[start:])
            spellings[fold_domain(domain)].add(domain)
    likely = [each for each in spellings if len(each) >= MIN_NAME_LENGTH]
    found = Account.objects.filter(domain__in=likely).order_by("domain").values_list("domain", flat=True)
    return [(domain, spelling) for domain in found for spelling in sorted(spellings[domain])]
