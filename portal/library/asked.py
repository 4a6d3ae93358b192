"""What was asked, as its desk tells it. The desk that keeps questions registers how they are read (`register_questions`)."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question of a questionnaire, as its desk has it now."""

    text: str
    title: str
    """Of the questionnaire."""
    url: str
    answer: str = ""
    at: datetime | None = None
    """When its questionnaire came."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """An answer in the two parts that an entry has."""

    short: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Desk:
    """How questions and answers are read. What is gone is left out."""

    questions: Callable[[Collection[int], str], Mapping[int, Question]]
    """Takes keys of questions and the slug of the tenant in scope."""
    last_answered: Callable[[Collection[str], str], Mapping[str, Question]]
    """Takes keys of wordings and the slug; gives the question that was answered last in each."""
    approved_answer: Callable[[Collection[str]], Answer | None]
    """Takes keys of wordings; gives the newest approved answer to any of them."""


_desks: list[Desk] = []
"""One at most: wordings say of no question whose it is."""


def register_questions(desk: Desk) -> None:
    """Say how questions are read for the pages of the library. From `AppConfig.ready`."""
    _desks[:] = [desk]


def questions(ids: Collection[int], slug: str) -> Mapping[int, Question]:
    return {key: found for desk in _desks for key, found in desk.questions(ids, slug).items()}


def last_answered(keys: Collection[str], slug: str) -> Mapping[str, Question]:
    return {key: found for desk in _desks for key, found in desk.last_answered(keys, slug).items()}


def approved_answer(keys: Collection[str]) -> Answer | None:
    return next((found for desk in _desks if (found := desk.approved_answer(keys))), None)
