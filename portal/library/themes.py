"""The themes of the field (`themes.txt`), and which of them a question belongs to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from portal.library.terms import Terms, terms_of

FILE: Final = Path(__file__).with_name("themes.txt")
OTHER: Final = "other"
OTHER_TITLE: Final = "Other"


@dataclass
class Themes:
    """What themes are called, and which concepts belong to each."""

    titles: dict[str, str] = field(default_factory=dict)
    of_concept: dict[str, str] = field(default_factory=dict)


@cache
def themes() -> Themes:
    """Read the themes. Raises ValueError for a line that is none."""
    found = Themes()
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        head, colon, concepts = line.partition(":")
        key, bar, title = head.partition("|")
        if not (colon and bar):
            raise ValueError(f"no line of the themes: {line}")
        found.titles[key.strip()] = title.strip()
        found.of_concept |= {f"@{each.strip()}": key.strip() for each in concepts.split("|")}
    return found


def theme_titles() -> Mapping[str, str]:
    """Name all themes in their order, last what belongs to none."""
    return {**themes().titles, OTHER: OTHER_TITLE}


def theme_of(terms: Terms) -> str:
    """Return the theme with the most concepts of a question; of two that have as many, the one that is named first."""
    counts: dict[str, float] = {}
    for term, count in terms.items():
        if theme := themes().of_concept.get(term):
            counts[theme] = counts.get(theme, 0) + count
    return max(counts, key=lambda theme: counts[theme], default=OTHER)


@lru_cache(maxsize=10_000)
def theme_of_question(question: str) -> str:
    """Return the theme of a question. Kept, because the same questions are read from the platform again and again."""
    return theme_of(terms_of(question))
