"""What a process of the house can be told about the questionnaire desk: to work on a bulk run, to hand something in, to die."""

import signal
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.utils import timezone

from portal.audit.models import Entry
from portal.connections.models import CallWindow
from portal.connections.services.calls import WINDOW
from portal.lib import enqueue
from portal.lib.text_keys import address_key
from portal.platform_writes import bulk_worker as turns
from portal.questionnaires import services
from portal.questionnaires.changes import Action, Change
from portal.questionnaires.models import BulkItem, BulkRun, Intake, Questionnaire, Response
from portal.questionnaires.models.intake import LEASE
from portal.questionnaires.services import bulk_runs, changes, decisions, intake, intake_outcomes
from portal.questionnaires.services.intake_outcomes import UNTIL_SURE
from portal.tenants.models import Membership
from portal.tenants.scope import tenant_scope
from tests.faults.moments import Moment, after, before, stop_at
from tests.faults.mortal import in_a_child
from tests.support.members import find_member

WORKING: dict[str, Moment] = {
    "the run is claimed": after(turns, "claim"),
    "the questionnaire is begun": before(bulk_runs, "change_questionnaire"),
    "the platform has answered": after(decisions, "write_and_verify"),
    "the change is settled but not committed": after(turns.Step, "record_outcome"),
    "the change is committed": after(changes, "move"),
    "the turn is over": before(turns, "_end_turn"),
}
"""The steps from a bulk run to a changed questionnaire."""
HANDING_IN: dict[str, Moment] = {
    "it is written down": before(intake, "_create"),
    "the platform has taken it": after(intake, "_create"),
    "it is stored but not committed": after(intake_outcomes, "record"),
    "it is committed": after(intake, "record_created"),
}
"""The steps from a form to a questionnaire on the platform."""


def begin_run(tenant_id: int, days: int) -> int:
    """Write down that every questionnaire is to be due in so many days."""
    change = Change(action=Action.DUE, due_at=timezone.now().replace(microsecond=0) + timedelta(days=days))
    with tenant_scope(tenant_id):
        keys = [*Questionnaire.objects.order_by("pk").values_list("pk", flat=True)]
        return services.start_bulk_run(change, member=_member(tenant_id), questionnaires=keys).pk


def begin_giving_away(tenant_id: int, owner_id: str, runs: int) -> None:
    """Write down that all questions are to be given to somebody, in runs that are worked on beside each other."""
    change = Change(action=Action.ASSIGN_QUESTIONS, owner_id=owner_id, owner_name="Somebody")
    with tenant_scope(tenant_id):
        rows = [*Response.objects.select_related("questionnaire").order_by("pk")]
        for number in range(runs):
            services.assign_questions(change, member=_member(tenant_id), responses=rows[number::runs])


def runs_of(tenant_id: int) -> dict[str, int]:
    """Return how many runs are not over, how many of these wait for the next minute, and what became of how many items."""
    with tenant_scope(tenant_id):
        runs = BulkRun.objects.filter(finished_at=None)
        # Before the items: a run that is over has settled all of its own.
        found = {"left": runs.count(), "paused": runs.exclude(wait_description="").count()}
        return found | Counter(why or state for state, why in BulkItem.objects.values_list("state", "description"))


def go_on_with_runs(tenant_id: int) -> None:
    """Let the minute be over for which the runs wait, and have workers called as the sweep would."""
    past = timezone.now() - timedelta(seconds=1)
    with tenant_scope(tenant_id):
        # Not deleted: a worker may be about to count a call in it.
        CallWindow.objects.update(started_at=past - WINDOW)
        BulkRun.objects.filter(finished_at=None).update(due_at=past, wait_description="")
        for run in BulkRun.objects.filter(finished_at=None):
            enqueue.enqueue_on_commit(bulk_runs.WORK, tenant_id, run.pk)


def work_on_run(tenant_id: int, run_id: int) -> list[str]:
    """Go on with a run; return the states of its questionnaires."""
    with tenant_scope(tenant_id):
        services.work_on(BulkRun.objects.select_related("tenant", "asked_by").get(pk=run_id))
        return [*BulkItem.objects.filter(run_id=run_id).order_by("pk").values_list("state", flat=True)]


def die_working(tenant_id: int, run_id: int, moment: str) -> int:
    return in_a_child(lambda: stop_at(WORKING[moment], signal.SIGKILL), lambda: work_on_run(tenant_id, run_id))


def hand_in(tenant_id: int, name: str) -> None:
    with tenant_scope(tenant_id):
        url = f"https://portal.example/{name}"
        new = services.NewQuestionnaire(name=name, kind="WEBSITE", fingerprint=address_key(url), url=url)
        services.begin_intake(new, member=_member(tenant_id))


def die_handing_in(tenant_id: int, name: str, moment: str) -> int:
    return in_a_child(lambda: stop_at(HANDING_IN[moment], signal.SIGKILL), lambda: hand_in(tenant_id, name))


def look_for_intakes(tenant_id: int) -> int:
    """Do what the sweep and its workers do; return how many were due."""
    due = [key for tenant, key in intake_outcomes.due_intakes() if tenant == tenant_id]
    with tenant_scope(tenant_id):
        for key in due:
            intake_outcomes.verify_outcome(Intake.objects.select_related("begun_by").get(pk=key))
    return len(due)


def intake_of(tenant_id: int, name: str) -> dict[str, Any]:
    """Return how an intake stands, and which questionnaire came of it."""
    with tenant_scope(tenant_id):
        row = Intake.objects.select_related("questionnaire").get(name=name)
        return {"state": row.state, "questionnaire": row.questionnaire.platform_id if row.questionnaire else ""}


def entries(tenant_id: int, action: str) -> int:
    """Return how often something was written into the history."""
    with tenant_scope(tenant_id):
        return Entry.objects.filter(action=action).count()


def pass_desk_time(tenant_id: int) -> None:
    """Let every lease of the desk be over, and the time in which a call may still be on its way."""
    past = timezone.now() - timedelta(seconds=1)
    with tenant_scope(tenant_id):
        BulkRun.objects.filter(finished_at=None).update(lease_until=None, due_at=past)
        BulkItem.objects.to_do().update(due_at=past)
        Intake.objects.exclude(due_at=None).update(due_at=past)
        Intake.objects.exclude(doubted_at=None).update(doubted_at=past - UNTIL_SURE - LEASE)
        CallWindow.objects.all().delete()


def _member(tenant_id: int) -> Membership:
    return find_member(tenant=tenant_id)


COMMANDS: dict[str, Callable[..., Any]] = {
    command.__name__: command
    for command in (
        *(
            begin_giving_away,
            runs_of,
            go_on_with_runs,
            begin_run,
            work_on_run,
            die_working,
            hand_in,
            die_handing_in,
            look_for_intakes,
        ),
        *(intake_of, entries, pass_desk_time),
    )
}
