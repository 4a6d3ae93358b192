"""What a text is about, in terms: concepts of the lexicon (`@mfa`), and the stems of other words that tell something."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from portal.lib.text_keys import FILLERS
from portal.library.lexicon import FILLER, NEGATION, lexicon, stems

MAX_TERMS: Final = 40
"""A longer question says the rest in other words; more terms make a search slower and no better."""
KEPT: Final = 8192
"""So many texts are looked at once: the same entries and wordings are candidates for one question after the other."""
OF_A_PHRASE: Final = 0.8
"""What a word counts that stands in a phrase of the lexicon: `restore` in `restore test`."""
_fillers: Final = frozenset(found for filler in FILLERS for found in stems(filler))

type Terms = Mapping[str, float]
"""The terms of a text in their order, each with how often it is there; NEGATION, where it asks for the contrary."""


@lru_cache(KEPT)
def terms_of(text: str) -> Terms:
    return terms_of_stems(stems(text))


@lru_cache(KEPT)
def terms_of_words(words: str) -> Terms:
    """Return the terms of a text that is given by its stems, with spaces between."""
    return terms_of_stems(words.split())


def terms_of_stems(words: Sequence[str]) -> Terms:
    known, found, place, is_negated = lexicon(), dict[str, float](), 0, False
    while place < len(words) and len(found) < MAX_TERMS:
        term, length = known.phrase_at(words, place)
        parts = words[place : place + length]
        place += length
        if term == NEGATION:
            is_negated = not is_negated
        elif _tells(term):
            found[term] = found.get(term, 0) + 1
        if term.startswith("@"):
            for part in (known.phrase_at([part], 0)[0] for part in parts):
                if part != term and _tells(part):
                    found[part] = found.get(part, 0) + OF_A_PHRASE
    return found | {NEGATION: 1.0} if is_negated else found


def _tells(term: str) -> bool:
    return term not in (FILLER, NEGATION) and len(term) > 1 and term not in _fillers
