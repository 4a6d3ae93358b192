"""How the bulk runs of the desk are worked on: each of their items is changed as one person's click would change it."""

from typing import Any

from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.platform_writes import bulk_worker
from portal.platform_writes.bulk import Bulk
from portal.questionnaires.models import BulkItem, BulkRun
from portal.questionnaires.refusals import REFUSALS, refusal_for
from portal.questionnaires.services.assignments import assign_question
from portal.questionnaires.services.changes import change_questionnaire
from portal.questionnaires.services.sure_drafts import save_draft
from portal.tenants.models import Role

WORK = "portal.questionnaires.tasks.work_on_bulk_run"


def work_on(run: BulkRun, *, seconds: float = TASK_TIME_BUDGET_SECONDS) -> bool:
    """Bring a run as far as one turn gets; False when another worker has it. Failures are written into the items."""
    return bulk_worker.work_on(BULK, run, seconds=seconds)


def _change(item: BulkItem, **how: Any) -> None:
    if item.response and item.run.change.saves_drafts:
        save_draft(item.response, offered_before=item.run.started_at, **how)
    elif item.response:
        assign_question(item.response, change=item.run.change, **how)
    else:
        change_questionnaire(item.questionnaire, change=item.run.change, **how)


def _error_message(error: Exception, slug: str) -> str:
    refusal = refusal_for(error, slug=slug)
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
    error_message=_error_message,
)
