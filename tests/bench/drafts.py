"""How many questions are drafted from a library, and how many of the drafts are wrong, by how sure a draft has to be.

`python -m tests.bench drafts [QUESTIONS [LIBRARY]]`, of the lines that `tests.bench library` takes.
"""

import time
from pathlib import Path

from portal.questionnaires.services.drafting_runs import MIN_CONFIDENCES
from portal.tenants.scope import tenant_scope
from tests.bench.world import make_tenant
from tests.library.judgement import LIBRARY, QUESTIONS, lines_of
from tests.questionnaires.draft_judgement import draft_each, judge_drafts


def print_drafts(questions: str = str(QUESTIONS), library: str = str(LIBRARY)) -> None:
    asked, entries = lines_of(Path(questions)), lines_of(Path(library))
    tenant, _ = make_tenant("Drafts")
    with tenant_scope(tenant.pk):
        started = time.perf_counter()
        drafted = draft_each(entries, asked)
        milliseconds = 1000 * (time.perf_counter() - started) / len(asked)
    print(f"\nDrafting {len(asked)} questions from {len(entries):,} entries ({milliseconds:.1f} ms a question):")
    for least in MIN_CONFIDENCES:
        found = judge_drafts(entries, drafted, least)
        wrong = f"{len(found.wrong)} wrong ({found.chosen_wrong} with a choice)"
        print(f"  at {least} %: {found.right} right, {wrong}, {found.left_out} left out")
