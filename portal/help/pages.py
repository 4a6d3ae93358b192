"""What a page of help is made of."""

from collections.abc import Iterable
from dataclasses import dataclass

from portal.ui.navigation import DESKS


@dataclass(frozen=True)
class Help:
    """The help of one desk. A step is a thing done on a usual day, in order."""

    key: str
    purpose: str
    steps: tuple[str, ...]
    states: tuple[tuple[str, str], ...] = ()
    """Label and meaning."""
    states_title: str = "What each state means"

    @property
    def label(self) -> str:
        return LABEL_OF[self.key]


SETTINGS_KEY, PORTFOLIO_KEY = "settings", "portfolio"
LABEL_OF = {entry.key: entry.label for entry in DESKS} | {SETTINGS_KEY: "Settings", PORTFOLIO_KEY: "Portfolio"}


def meanings(labels: Iterable[tuple[str, str]], meaning: dict[str, str]) -> tuple[tuple[str, str], ...]:
    """Put each state's label and meaning together. Raises KeyError for one that nobody has explained."""
    return tuple((str(label), meaning[key]) for key, label in labels)
