from celery import shared_task
from django.utils import timezone

from portal.contracts import selectors, services
from portal.contracts.models import Reading, Removal, Upload
from portal.contracts.services.outcomes import SEND
from portal.contracts.services.removals import REMOVE
from portal.contracts.services.text_extraction import READ
from portal.lib import enqueue
from portal.tenants.scope import tenant_scope
from portal.tenants.turns import serve_in_turn


@shared_task
def send_upload(tenant_id: int, upload_id: int) -> None:
    """Go on with one upload, if it is due."""
    with tenant_scope(tenant_id):
        upload = Upload.objects.due(timezone.now()).filter(pk=upload_id).first()
        if upload:
            services.run_upload(upload)


@shared_task
def sweep_uploads() -> None:
    """Enqueue uploads whose message was lost or that are due again, and delete files that were left behind."""
    for tenant_id, upload_id in selectors.due_uploads():
        enqueue.enqueue_on_commit(SEND, tenant_id, upload_id)
    turns = [(tenant_id,) for tenant_id in selectors.tenants_with_leftover_files()]
    serve_in_turn(turns, services.delete_leftover_files, what="deleting the leftover files of contracts")


@shared_task
def read_document(tenant_id: int, reading_id: int) -> None:
    """Extract the text of one document, if no other worker has it."""
    with tenant_scope(tenant_id):
        reading = Reading.objects.select_related("contract").due(timezone.now()).filter(pk=reading_id).first()
        if reading:
            services.run_reading(reading)


@shared_task
def remove_contract(tenant_id: int, removal_id: int) -> None:
    """Go on with deleting one contract on the platform, if that is due."""
    with tenant_scope(tenant_id):
        removals = Removal.objects.select_related("contract", "asked_by").due(timezone.now())
        removal = removals.filter(pk=removal_id).first()
        if removal:
            services.run_removal(removal)


@shared_task
def sweep_contract_work() -> None:
    """Enqueue work for the documents and removals whose message was lost, whose worker died, or whose pause is over."""
    for tenant_id, reading_id in selectors.due_readings():
        enqueue.enqueue_on_commit(READ, tenant_id, reading_id)
    for tenant_id, removal_id in selectors.due_removals():
        enqueue.enqueue_on_commit(REMOVE, tenant_id, removal_id)


@shared_task
def remind_of_contracts() -> None:
    """Go on with contracts that have renewed themselves, and tell of days that are near."""
    services.recalculate_renewed()
    services.remind_all()
