"""The weights of `questionnaires.drafted_answers.confidence`, fitted to the tests' questions, as `tests.bench draft_weights`.

What they are worth is read off questions that they were not fitted to: `python -m tests.bench drafts` with the held-back ones.
"""

import math
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

from django.utils import timezone

from portal.library.caveats import Caveat, caveats
from portal.library.selectors import find_entries
from portal.library.similarity import Search
from portal.questionnaires.drafted_answers.sources import ENTRIES, signs_of_entry
from portal.tenants.scope import tenant_scope
from tests.bench.world import make_tenant
from tests.library.judgement import LIBRARY, QUESTIONS, fill_library, lines_of

ONE_IN: Final = (1, 3, 3, 10, 10)
"""Libraries of one entry in so many: in a small one, most questions have no answer."""
STEPS, PACE = 600, 1.5
type Case = tuple[tuple[float, ...], bool]
"""The signs of the best entry for a question, and whether it answers it."""


def print_draft_weights() -> None:
    # Whether a question asks for the contrary is told by the caveats, not by the signs.
    asked = [each for each in lines_of(QUESTIONS) if each["kind"] != "reversed"]
    entries, cases = lines_of(LIBRARY), list[Case]()
    for number, one_in in enumerate(ONE_IN):
        tenant, _ = make_tenant(f"Weights {number}")
        with tenant_scope(tenant.pk):
            cases += _cases(Random(number).sample(entries, len(entries) // one_in), asked)
    base, *weights = _fitted(cases)
    print(
        f"\nOf {len(cases):,} questions with an entry: BASE = {base:.1f}, WEIGHTS = {tuple(round(each, 1) for each in weights)}"
    )


def _cases(entries: Sequence[dict[str, Any]], asked: Sequence[dict[str, Any]]) -> Iterator[Case]:
    fill_library(entries)
    ids = {each["question"]: each["id"] for each in entries}
    for each in asked:
        search = Search(each["question"])
        found = find_entries(search, today=timezone.localdate(), most=ENTRIES)
        if not found or not (wording := found[0].wording):
            continue
        if Caveat.CONTRARY not in caveats(each["question"], wording.words.split(), found[0].entry.answer):
            yield signs_of_entry(search, wording, found[0], found).values, ids[found[0].entry.question] in each["expected"]


def _fitted(cases: Sequence[Case]) -> list[float]:
    """Return base and weights of the logistic regression, by gradient descent over signs of mean 0 and deviation 1."""
    columns = list(zip(*(signs for signs, _ in cases), strict=True))
    means = [sum(column) / len(cases) for column in columns]
    spreads = [
        math.dist(column, [mean] * len(cases)) / math.sqrt(len(cases)) for column, mean in zip(columns, means, strict=True)
    ]
    rows = [
        [1.0, *((value - mean) / spread for value, mean, spread in zip(signs, means, spreads, strict=True))]
        for signs, _ in cases
    ]
    weights = [0.0] * len(rows[0])
    for _ in range(STEPS):
        errors = [
            1 / (1 + math.exp(-math.sumprod(weights, row))) - is_right for row, (_, is_right) in zip(rows, cases, strict=True)
        ]
        slopes = [math.sumprod(errors, column) / len(cases) for column in zip(*rows, strict=True)]
        weights = [weight - PACE * slope for weight, slope in zip(weights, slopes, strict=True)]
    base, *scaled = weights
    weights = [weight / spread for weight, spread in zip(scaled, spreads, strict=True)]
    return [base - math.sumprod(weights, means), *weights]
