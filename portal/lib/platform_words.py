"""Words of the platform for states and kinds, as pages show them. Open sets: a word that nobody here knows stays readable."""

from collections.abc import Mapping

type Word = tuple[str, str]
"""What it is called, and the tone of that."""


def readable(word: str) -> str:
    """Turn a word in upper snake case into words for people; any other stays as it came."""
    return word.replace("_", " ").strip().capitalize() if word.isupper() else word.strip()


def word_of(word: str | None, known: Mapping[str, Word], *, without: str = "Not known") -> Word:
    """Return what a word is called, and the tone of that; `without` where there is none."""
    return known.get(word or "", (readable(word or "") or without, "muted"))
