"""Names that may be written from right to left, in the middle of a sentence."""

INVISIBLE = BEGIN, END = "\u2068", "\u2069"
"""Around such a name, so that the words beside it stay where they are."""


def isolated(name: str) -> str:
    return f"{BEGIN}{name}{END}"
