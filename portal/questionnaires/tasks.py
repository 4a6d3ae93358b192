from celery import shared_task
from django.utils import timezone

from portal.lib import enqueue
from portal.platform_writes.bulk import due_runs
from portal.questionnaires import services
from portal.questionnaires.models import BulkRun, DraftingRun, Export, Intake
from portal.questionnaires.services import drift_detection, export_verification, intake_outcomes, intake_sweep, nudges
from portal.questionnaires.services.bulk_runs import BULK, WORK
from portal.questionnaires.services.drafting_runs import WORK_ON_DRAFTS
from portal.questionnaires.services.experts import MAIL
from portal.questionnaires.services.export_outcomes import LOOK
from portal.questionnaires.services.targets import RECALCULATE
from portal.tenants.scope import tenant_scope
from portal.tenants.turns import serve_in_turn


@shared_task
def verify_export(tenant_id: int, export_id: int) -> None:
    """Look at one export, if that is due."""
    with tenant_scope(tenant_id):
        export = Export.objects.due(timezone.now()).filter(pk=export_id).first()
        if export:
            export_verification.verify_outcome(export)


@shared_task
def sweep_exports() -> None:
    """Enqueue work for the exports whose next look is due."""
    for tenant_id, export_id in export_verification.due_exports():
        enqueue.enqueue_on_commit(LOOK, tenant_id, export_id)


@shared_task
def work_on_bulk_run(tenant_id: int, run_id: int) -> None:
    """Go on with one bulk run, if it is due."""
    with tenant_scope(tenant_id):
        run = BulkRun.objects.select_related("tenant", "asked_by").due(timezone.now()).filter(pk=run_id).first()
        if run:
            services.work_on(run)


@shared_task
def sweep_bulk_runs() -> None:
    """Enqueue work for the bulk runs whose message was lost and those that are due again."""
    for tenant_id, run_id in due_runs(BULK):
        enqueue.enqueue_on_commit(WORK, tenant_id, run_id)


@shared_task
def work_on_drafting_run(tenant_id: int, run_id: int) -> None:
    """Go on drafting the answers of one run, if it is due."""
    with tenant_scope(tenant_id):
        run = DraftingRun.objects.select_related("questionnaire", "asked_by").due(timezone.now()).filter(pk=run_id).first()
        if run:
            services.work_on_drafts(run)


@shared_task
def sweep_drafting_runs() -> None:
    """Enqueue work for the drafting runs whose message was lost, or whose worker died."""
    for tenant_id, run_id in services.due_drafting_runs():
        enqueue.enqueue_on_commit(WORK_ON_DRAFTS, tenant_id, run_id)


@shared_task
def mail_expert_links(tenant_id: int) -> None:
    """Mail the links that were made for experts of one tenant."""
    with tenant_scope(tenant_id):
        nudges.mail_expert_links()


@shared_task
def sweep_expert_links() -> None:
    """Enqueue work for the links whose message was lost, or whose mail was not taken."""
    for tenant_id in nudges.tenants_with_mail():
        enqueue.enqueue_on_commit(MAIL, tenant_id)


@shared_task
def sweep_nudges() -> None:
    """Remind those whose inner due date is near, and see which links have run out."""
    serve_in_turn([(each,) for each in nudges.tenants_with_questions()], _look_after_questions, what="reminding who was asked")


def _look_after_questions() -> None:
    nudges.nudge_those_due()
    nudges.forget_expired()


@shared_task
def recalculate_clocks_of_tenant(tenant_id: int) -> None:
    """Go on with the clocks of a tenant whose targets, hours or holidays have changed."""
    with tenant_scope(tenant_id):
        services.recalculate_all_clocks()


@shared_task
def sweep_clocks() -> None:
    """Enqueue work for the tenants whose clocks are stale."""
    for tenant_id in services.tenants_with_stale_clocks():
        enqueue.enqueue_on_commit(RECALCULATE, tenant_id)


@shared_task
def remind_of_targets() -> None:
    """Mail whoever has to know of targets that are near, or missed."""
    services.remind_all()


@shared_task
def verify_intake(tenant_id: int, intake_id: int) -> None:
    """Look for what came of one intake, if that is due."""
    with tenant_scope(tenant_id):
        intake = Intake.objects.select_related("begun_by").due(timezone.now()).filter(pk=intake_id).first()
        if intake:
            intake_outcomes.verify_outcome(intake)


@shared_task
def sweep_intakes() -> None:
    """Enqueue intakes whose message was lost and those that are due again, and remove files that nobody waits for."""
    for tenant_id, intake_id in intake_outcomes.due_intakes():
        enqueue.enqueue_on_commit(intake_outcomes.SETTLE, tenant_id, intake_id)
    turns = [(tenant_id,) for tenant_id in intake_sweep.tenants_with_old_files()]
    serve_in_turn(turns, intake_sweep.remove_old_files, what="removing the old files of intakes")


@shared_task
def compare_answers(tenant_id: int) -> None:
    """Go on comparing what customers of one tenant were told."""
    with tenant_scope(tenant_id):
        if drift_detection.compare():
            enqueue.enqueue_on_commit(drift_detection.COMPARE, tenant_id)


@shared_task
def sweep_drift() -> None:
    """Enqueue work for the tenants whose answers have changed since they were compared."""
    for tenant_id in drift_detection.tenants_to_compare():
        enqueue.enqueue_on_commit(drift_detection.COMPARE, tenant_id)
