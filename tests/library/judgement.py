"""Judging how well earlier answers are found: over a library and questions with the entries that answer them, as JSON lines."""

import json
import re
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils import timezone

from portal.lib.text_keys import key_of
from portal.library.models import Entry, Wording
from portal.library.selectors import find_entries
from portal.library.services import note_wordings, post_answers
from portal.library.similarity import Search

DATA = Path(__file__).parent / "data"
LIBRARY, QUESTIONS = DATA / "library.jsonl", DATA / "questions.jsonl"
HELD_BACK = DATA / "held_back.jsonl"
"""Written by somebody who knew the entries alone. The lexicon learns from what is missed of the others, never from these."""
DEPTHS = (1, 3, 10)
BATCH = 500
type Find = Callable[[str], Sequence[str]]
"""From a question to the ids of entries, the best first."""


@dataclass(frozen=True)
class Judgement:
    """What share of questions had an entry that answers them among the first so many, and how long a question took."""

    recall: dict[int, float]
    milliseconds: float
    missed: list[str]
    """The questions without one among the first three."""


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def judge(find: Find, questions: Iterable[dict[str, Any]]) -> Judgement:
    asked = [each for each in questions if each["expected"]]
    found: dict[int, int] = dict.fromkeys(DEPTHS, 0)
    missed, seconds = [], 0.0
    for each in asked:
        started = time.perf_counter()
        ids = find(each["question"])
        seconds += time.perf_counter() - started
        for depth in DEPTHS:
            found[depth] += bool({*ids[:depth]} & {*each["expected"]})
        if not {*ids[:3]} & {*each["expected"]}:
            missed.append(each["question"])
    recall = {depth: number / len(asked) for depth, number in found.items()}
    return Judgement(recall, 1000 * seconds / len(asked), missed)


def fill_library(entries: Sequence[dict[str, Any]]) -> Find:
    """Store entries in the tenant in scope; return what finds them as the product does."""
    names: dict[int, str] = {}
    for start in range(0, len(entries), BATCH):
        batch = entries[start : start + BATCH]
        note_wordings(each["question"] for each in batch)
        wordings = {row.key: row for row in Wording.objects.filter(key__in=[key_of(each["question"]) for each in batch])}
        rows = [
            Entry(question=each["question"], text=each["answer"], wording=wordings.get(key_of(each["question"])))
            for each in batch
        ]
        stored = Entry.objects.bulk_create(rows)
        post_answers(stored)
        names |= {row.pk: each["id"] for row, each in zip(stored, batch, strict=True)}

    def find(question: str) -> list[str]:
        return [names[each.entry.pk] for each in find_entries(Search(question), today=timezone.localdate(), most=max(DEPTHS))]

    return find


def plain_text(entries: Iterable[dict[str, Any]]) -> Find:
    """Return what finds entries by plain full text: any of the words, stemmed, in question or answer, the best first."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE entries USING fts5(id UNINDEXED, question, answer, tokenize = 'porter unicode61')")
    database.executemany("INSERT INTO entries VALUES (:id, :question, :answer)", entries)
    statement = f"SELECT id FROM entries WHERE entries MATCH ? ORDER BY bm25(entries) LIMIT {max(DEPTHS)}"  # noqa: S608 - our own number

    def find(question: str) -> list[str]:
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question))
        return [key for (key,) in database.execute(statement, [words])] if words else []

    return find
