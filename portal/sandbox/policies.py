"""What stands in the documents of the knowledge base that the sandbox begins with (`policies.txt`)."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

IN_WORD = frozenset({"Backup and restore procedure", "Secure development guideline"})
"""Which of them are Word documents. The others are PDFs."""


@cache
def policies() -> dict[str, Sequence[str]]:
    """Return the paragraphs of each document, by its title."""
    blocks = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").split("\n\n")
    found = dict[str, list[str]]()
    for block in blocks:
        text = " ".join(block.split())
        if text.startswith("# "):
            paragraphs = found[text[2:]] = []
        else:
            paragraphs.append(text)
    return dict(found)
