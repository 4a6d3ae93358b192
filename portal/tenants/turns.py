"""Sweeps do the work of one tenant after the other, and none of them keeps the others waiting."""

import logging
import time
from collections.abc import Callable, Iterable
from typing import Any

from portal.lib.outages import is_outage
from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.tenants.scope import tenant_scope

logger = logging.getLogger(__name__)


def serve_in_turn(
    turns: Iterable[tuple[Any, ...]], serve: Callable[..., object], *, what: str, seconds: float = TASK_TIME_BUDGET_SECONDS
) -> int:
    """Serve each turn in the scope of its tenant, as far as the time goes; return in how many something was done.

    A turn is the key of a tenant, and what `serve` is called with. One that fails is logged as `what`: it is due again, and
    the others are served; without a database nobody is. Whoever was served may not be among the next turns, or the last of
    them never have theirs.
    """
    deadline, done = time.monotonic() + seconds, 0
    for tenant_id, *given in turns:
        if time.monotonic() > deadline:
            break
        try:
            with tenant_scope(tenant_id):
                done += bool(serve(*given))
        except Exception as error:
            if is_outage(error):
                raise
            logger.exception("%s failed in tenant %s", what, tenant_id)
    return done
