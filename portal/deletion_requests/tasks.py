import logging
import time

from celery import shared_task

from portal.deletion_requests import selectors, services
from portal.deletion_requests.models import DeletionRequest
from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.tenants.scope import tenant_scope

# Not by `serve_in_turn`: its traceback could name the person who is to be erased. Here a failure is logged by its type (S11).
logger = logging.getLogger(__name__)


@shared_task
def finish_deletion_request(tenant_id: int, deletion_request_id: int) -> None:
    """Go on with one request whose outcome is uncertain."""
    with tenant_scope(tenant_id):
        row = DeletionRequest.objects.filter(pk=deletion_request_id).first()
        if row and row.is_due:
            services.process_request(row)


@shared_task
def sweep_deletion_requests() -> None:
    """Go on with the requests that are due: the answer was lost, nothing was sent yet, or it was confirmed but not erased."""
    deadline = time.monotonic() + TASK_TIME_BUDGET_SECONDS
    for tenant_id, deletion_request_id in selectors.due_deletion_requests():
        if time.monotonic() > deadline:
            break
        try:
            finish_deletion_request(tenant_id, deletion_request_id)
        except Exception as error:  # one request must not keep the others waiting; its lease ends and it is due again
            logger.error("deletion request row %s failed: %s", deletion_request_id, type(error).__name__)


@shared_task
def check_for_returns(tenant_id: int) -> None:
    """Look whether people of one tenant who were erased came back."""
    with tenant_scope(tenant_id):
        services.check_for_returns()


@shared_task
def sweep_second_looks() -> None:
    """Look for every tenant in which a second look is due."""
    deadline = time.monotonic() + TASK_TIME_BUDGET_SECONDS
    for tenant_id in selectors.tenants_to_look_again():
        if time.monotonic() > deadline:
            break
        try:
            check_for_returns(tenant_id)
        except Exception as error:  # one tenant must not keep the others waiting; its leases end and it is due again
            logger.error("second looks of tenant %s failed: %s", tenant_id, type(error).__name__)
