from celery import shared_task

from portal.documents import services
from portal.tenants.turns import serve_in_turn


@shared_task
def sweep_document_uploads() -> None:
    """Have the lists read that tell whether a file arrived whose answer was lost, or whose process died."""
    serve_in_turn(services.due_verifications(), services.verify_again, what="having a list of files read")


@shared_task
def sweep_document_details() -> None:
    """Go on fetching what the list of documents leaves out."""
    turns = [(tenant_id,) for tenant_id in services.tenants_with_old_details()]
    serve_in_turn(turns, services.ask_for_details, what="asking for the details of documents")
