"""Whether what the model wrote is what its sources say: it may choose and join words, and nothing else."""

from collections.abc import Sequence
from typing import Final

from portal.language_model.prompts import Sentence
from portal.lib.sentences import sentences
from portal.library.caveats import caveats
from portal.library.lexicon import NEGATION, stems
from portal.library.terms import Terms, terms_of

MIN_SHARE: Final = 0.8
"""Of what a sentence is about: so much has to stand in its sources. The rest are words that join."""


def supported(written: Sequence[Sentence], passages: Sequence[str]) -> list[Sentence]:
    """Return the sentences that the sources they name support."""
    return [each for each in written if is_supported(each.text, [passages[at] for at in each.sources])]


def is_supported(text: str, passages: Sequence[str]) -> bool:
    """Say whether one sentence of these passages, or two of them together, say what a text says.

    A source as a whole has some of every sense and figure: what a text was taken from is compared, and nothing beside it.
    """
    said = terms_of(text)
    parts = sorted(
        (part for passage in passages for part in sentences(passage)), key=lambda part: -_share(said, terms_of(part))
    )
    return any(_says(text, said, known) for known in (" ".join(parts[:1]), " ".join(parts[:2])))


def _says(text: str, said: Terms, known: str) -> bool:
    # Sense, scope, figures and frequencies, each as strictly as between two questions.
    return not caveats(text, stems(known), known) and _share(said, terms_of(known)) >= MIN_SHARE


def _share(said: Terms, known: Terms) -> float:
    subjects = [term for term in said if term != NEGATION]
    return sum(term in known for term in subjects) / len(subjects) if subjects else 0.0
