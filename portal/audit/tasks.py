import time

from celery import shared_task

from portal.audit.chain_checks import CHECK_SECONDS, are_accounts_due, check_accounts, check_chain, tenants_to_check
from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.tenants.turns import serve_in_turn


@shared_task
def check_chains() -> None:
    """Check the audit trail of each tenant, and that of the accounts, once a day. The next run goes on with what is left."""
    deadline = time.monotonic() + TASK_TIME_BUDGET_SECONDS - CHECK_SECONDS  # the last one to begin has its time too
    if are_accounts_due():
        check_accounts()
    turns = [(tenant_id, tenant_id) for tenant_id in tenants_to_check()]
    serve_in_turn(turns, check_chain, what="the check of an audit trail", seconds=deadline - time.monotonic())
