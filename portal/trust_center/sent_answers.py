"""What customers were told in questionnaires. The desk that knows it stands above: it registers itself here."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Contradiction:
    """Answers that were sent and say another thing than a FAQ."""

    difference: str
    """How far they are apart, in a few words."""
    answers: Sequence[int]
    """The keys of some of them at their desk, the newest first."""
    sign: str
    """Equal as long as the answers say the same."""


@dataclass(frozen=True, kw_only=True)
class SentAnswer:
    """One answer that a customer has, as its desk tells it now."""

    question: str
    answer: str
    title: str
    """Of the questionnaire."""
    url: str
    """Its page; empty for what is gone."""


type Compare = Callable[[str, str], Contradiction | None]
"""From a question and what the Trust Center answers to the sent answers that say otherwise."""


@dataclass(frozen=True, kw_only=True)
class Desk:
    """How sent answers are compared and read."""

    is_read: Callable[[], bool]
    """Whether the tenant's questionnaires were read at all: before that nothing can be said (guarantee R3)."""
    comparison: Callable[[], Compare]
    """Begins to compare: what it needs to know of the tenant in scope is read once."""
    answers: Callable[[Collection[int], str], Sequence[SentAnswer]]
    """Takes keys and the slug of the tenant in scope."""


_desks: list[Desk] = []
"""One at most."""


def register_sent_answers(desk: Desk) -> None:
    """Say what customers were told. From `AppConfig.ready`."""
    _desks[:] = [desk]


def begin_comparison() -> Compare | None:
    """Return how to compare now; None while nothing can be said."""
    return next((desk.comparison() for desk in _desks if desk.is_read()), None)


def sent_answers(keys: Collection[int], slug: str) -> list[SentAnswer]:
    return [found for desk in _desks for found in desk.answers(keys, slug)]
