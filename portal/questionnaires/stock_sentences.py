"""The sentences that a tenant puts under very many answers, whatever was asked."""

from collections import defaultdict
from typing import Final

from portal.questionnaires.answer_words import sentences, stock_key
from portal.questionnaires.models import Response, ResponseQuerySet

LOOKED_AT: Final = 2000
"""So many of the newest answers are read."""
MIN_QUESTIONS: Final = 8
"""A sentence under the answers to so many different questions says nothing about any of them."""
MAX_STOCK: Final = 300


def count_answers() -> int:
    """Count the answers that are read for the tenant's stock sentences."""
    return _answers()[:LOOKED_AT].count()


def find_stock_sentences() -> list[str]:
    """Return the keys of the tenant's stock sentences, the most frequent first."""
    questions: defaultdict[str, set[str]] = defaultdict(set)
    for question_key, text in _answers().order_by("-id").values_list("question_key", "answer_text")[:LOOKED_AT]:
        for start, end in sentences(text):
            if key := stock_key(text[start:end]):
                questions[key].add(question_key)
    common = {key: len(asked) for key, asked in questions.items() if len(asked) >= MIN_QUESTIONS}
    return sorted(common, key=lambda key: (-common[key], key))[:MAX_STOCK]


def _answers() -> ResponseQuerySet:
    return Response.objects.remembered().exclude(question_key="").order_by()
