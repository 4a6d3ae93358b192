import logging
import time

from celery import shared_task

from portal.audit.chain_checks import CHECK_SECONDS, are_accounts_due, check_accounts, check_chain, tenants_to_check
from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS

logger = logging.getLogger(__name__)


@shared_task
def check_chains() -> None:
    """Check the audit trail of each tenant, and that of the accounts, once a day. The next run goes on with what is left."""
    deadline = time.monotonic() + TASK_TIME_BUDGET_SECONDS - CHECK_SECONDS  # the last one to begin has its time too
    if are_accounts_due():
        check_accounts()
    for tenant_id in tenants_to_check():
        if time.monotonic() > deadline:
            break
        try:
            check_chain(tenant_id)
        except Exception as error:  # one tenant must not keep the others waiting; it is due again
            logger.error("the audit trail of tenant %s was not checked: %s", tenant_id, type(error).__name__)
