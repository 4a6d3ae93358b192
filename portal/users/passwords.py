"""What Django's own validators let pass: long passwords that are quickly guessed all the same."""

import re
from typing import Any

from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError

MIN_DISTINCT = 5
"""Fewer different characters than these are a pattern, however often they are repeated."""
REPEATED = re.compile(r"(.{1,6}?)\1{2,}")
"""A short piece three times in a row or more."""
AROUND = re.compile(r"^[\d\W_]+|[\d\W_]+$")
ROWS = ("abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "azertyuiop")
MIN_RUN = 4
MIN_OTHERS = 6
"""So many characters have to be left when repetitions and runs of the alphabet or the keyboard are taken away."""


class VariedPasswordValidator:
    """Refuses passwords of few characters, of repetitions, and of runs such as "abcdefghijkl" or "qwertyuiop12"."""

    def validate(self, password: str, user: Any = None) -> None:
        text = password.lower()
        shortened = _without_runs(REPEATED.sub(r"\1", text))
        if len(set(text)) < MIN_DISTINCT or len(shortened) < MIN_OTHERS:
            raise ValidationError(self.get_help_text(), code="password_not_varied")

    def get_help_text(self) -> str:
        return "Choose a password that is not just repeated characters or a keyboard row."


class CommonWordValidator(CommonPasswordValidator):
    """Refuses common passwords, also where digits and signs around them make them long enough: "Football1234!"."""

    def validate(self, password: str, user: Any = None) -> None:
        for text in (password, AROUND.sub("", password)):
            super().validate(text, user)


def _without_runs(text: str) -> str:
    kept, place = [], 0
    while place < len(text):
        length = _run_length(text[place:])
        if length < MIN_RUN:
            kept.append(text[place])
        place += length if length >= MIN_RUN else 1
    return "".join(kept)


def _run_length(text: str) -> int:
    """Return how many of the first characters stand side by side in a row, forwards or backwards."""
    length = 1
    while length < len(text) and any(text[: length + 1] in each for row in ROWS for each in (row, row[::-1])):
        length += 1
    return length
