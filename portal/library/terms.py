"""What a question is about, in terms: concepts of the lexicon (`@mfa`), and the stems of other words that tell something."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from portal.lib.text_keys import FILLERS
from portal.library.lexicon import FILLER, NEGATION, lexicon, stems

MAX_TERMS: Final = 24
"""A longer question says the rest in other words; more terms make a search slower and no better."""
_fillers: Final = frozenset(found for filler in FILLERS for found in stems(filler))


@dataclass(frozen=True)
class Terms:
    """The terms of a text, each once, in their order."""

    terms: tuple[str, ...]
    is_negated: bool = False
    """It asks for the contrary: whether something is *not* done."""


def terms_of(text: str) -> Terms:
    return terms_of_stems(stems(text))


def terms_of_stems(words: Sequence[str]) -> Terms:
    known, found, place, negations = lexicon(), dict[str, None](), 0, 0
    while place < len(words):
        term, length = known.phrase_at(words, place)
        place += length
        if term == NEGATION:
            negations += 1
        elif term != FILLER and (term.startswith("@") or (len(term) > 1 and term not in _fillers)):
            found[term] = None
    return Terms(tuple(found)[:MAX_TERMS], is_negated=negations % 2 == 1)
