"""How the bulk runs of the desk are worked on: each of their items is changed as one person's click would change it."""

from typing import Any

from portal.lib.turns import TURN_SECONDS
from portal.questionnaires.models import BulkItem, BulkRun
from portal.questionnaires.refusals import REFUSALS, explain
from portal.questionnaires.services.assigning import assign_question
from portal.questionnaires.services.changing import change_questionnaire
from portal.tenants.models import Role
from portal.writes import working
from portal.writes.bulk import Bulk

WORK = "portal.questionnaires.tasks.work_on_bulk_run"


def work_on(run: BulkRun, *, seconds: float = TURN_SECONDS) -> bool:
    """Bring a run as far as one turn gets; False when another worker has it. Failures are written into the items."""
    return working.work_on(BULK, run, seconds=seconds)


def _change(item: BulkItem, **how: Any) -> None:
    if item.response:
        assign_question(item.response, change=item.run.change, **how)
    else:
        change_questionnaire(item.questionnaire, change=item.run.change, **how)


def _words(error: Exception, slug: str) -> str:
    refusal = explain(error, slug=slug)
    return f"{refusal.title}. {refusal.text}"


BULK = Bulk(
    runs=BulkRun,
    items=BulkItem,
    task=WORK,
    area="questionnaires",
    kind="bulk_run",
    action="questionnaire.bulk",
    role=Role.ANALYST,
    change=_change,
    refusals=REFUSALS,
    words=_words,
)
