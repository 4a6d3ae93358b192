"""Two entries side by side, with what differs marked."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from portal.library.models import Entry, EntryPair

MAX_COMPARED: Final = 400
"""So many words of an answer are compared; it takes the square of them, and what comes behind stands in the entry."""


@dataclass(frozen=True)
class Piece:
    """Some words of a text, and whether the other text has them."""

    text: str
    is_different: bool


@dataclass(frozen=True, kw_only=True)
class Side:
    """One entry of a pair, beside the other one."""

    entry: Entry
    other: Entry
    question: Sequence[Piece]
    answer: Sequence[Piece]
    is_cut: bool
    dialog: str
    """The id of the dialog that asks before the other one is merged into this one."""

    @property
    def keep(self) -> str:
        """What the button sends: which entry stays, and the versions of both that were read."""
        return f"{self.entry.pk} {self.entry.version} {self.other.version}"

    @property
    def consequence(self) -> str:
        return (
            f"“{self.entry}” keeps its answer, and gets the other one's ways to ask, tags and uses. “{self.other}” is deleted "
            "with its answer. This can't be undone."
        )


def sides_of(pair: EntryPair) -> tuple[Side, Side]:
    """Give both entries of a pair with the words marked that the other one has not."""
    questions = marked(pair.first.question, pair.second.question)
    answers = marked(_in_line(pair.first), _in_line(pair.second))
    entries = (pair.first, pair.second)
    first, second = (
        Side(
            entry=entries[place],
            other=entries[1 - place],
            question=questions[place],
            answer=answers[place],
            is_cut=len(entries[place].answer.split()) > MAX_COMPARED,
            dialog=f"merge-{pair.pk}-{entries[place].pk}",
        )
        for place in (0, 1)
    )
    return first, second


def marked(one: str, other: str) -> tuple[list[Piece], list[Piece]]:
    """Part two texts into pieces that both have, and pieces that only one has."""
    mine, theirs = one.split()[:MAX_COMPARED], other.split()[:MAX_COMPARED]
    matcher = SequenceMatcher(None, [_bare(word) for word in mine], [_bare(word) for word in theirs], autojunk=False)
    left, right = list[Piece](), list[Piece]()
    for tag, start, end, other_start, other_end in matcher.get_opcodes():
        left.append(Piece(" ".join(mine[start:end]), tag != "equal"))
        right.append(Piece(" ".join(theirs[other_start:other_end]), tag != "equal"))
    return [piece for piece in left if piece.text], [piece for piece in right if piece.text]


def _bare(word: str) -> str:
    """Return a word without case and marks around it: a comma is no difference."""
    return word.casefold().strip(".,;:!?()\"'“”")


def _in_line(entry: Entry) -> str:
    return " · ".join(text for _, text in entry.given)
