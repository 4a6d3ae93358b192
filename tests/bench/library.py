"""How often is the entry that answers a question among the first, and how long does one wait? Beside plain full text.

`python -m tests.bench library [QUESTIONS [LIBRARY]]`. QUESTIONS holds lines of {"question", "expected": [ids]}, LIBRARY lines
of {"id", "question", "answer"}; without them, the sets of the tests.
"""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.db import connection

from portal.tenants.scope import tenant_scope
from tests.bench.world import make_tenant
from tests.library.judgement import HELD_BACK, LIBRARY, QUESTIONS, Find, fill_library, judge, lines_of, plain_text

MANY = 100_000


def print_library(questions: str = "", library: str = str(LIBRARY)) -> None:
    sets = {path.stem: lines_of(path) for path in ([Path(questions)] if questions else [QUESTIONS, HELD_BACK])}
    entries = lines_of(Path(library))
    print(f"\nFinding earlier answers over {len(entries):,} entries:")
    padded = entries + _strangers(entries, MANY - len(entries))
    for size, given in ((len(entries), entries), (MANY, padded)):
        tenant, _ = make_tenant(f"Library of {size}")
        with tenant_scope(tenant.pk):
            find = fill_library(given)
            # As it is done by the clock, or by PostgreSQL itself, soon after so many rows were written.
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE")
            _print(f"library, {size:,} entries", find, sets)
        _print(f"plain full text, {size:,} entries", plain_text(given), sets)


def _print(name: str, find: Find, sets: Mapping[str, Sequence[dict[str, Any]]]) -> None:
    for of, asked in sets.items():
        found = judge(find, asked)
        shares = "  ".join(f"at {depth}: {share:.3f}" for depth, share in found.recall.items())
        print(f"  {name:33} {of:10} recall {shares}   {found.milliseconds:5.1f} ms a question")


def _strangers(entries: Sequence[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    """Make entries of the library's own words in no order: they are as likely to be looked at, and answer nothing."""
    chance = random.Random(7)
    words = " ".join(each["question"] for each in entries).split()
    return [
        {"id": f"stranger-{number}", "question": " ".join(chance.choices(words, k=chance.randint(7, 16))), "answer": "-"}
        for number in range(count)
    ]
