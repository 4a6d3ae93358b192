"""Every step on a mirror's way to the truth: mark, fetch, compare."""

from portal.sync.services.drain import drain, drain_tenant
from portal.sync.services.marks import Outcome, Result, mark_many, mark_stale, prune_marks
from portal.sync.services.reconcile import reconcile, reconcile_tenant
from portal.sync.services.runs import start_missing, start_reconcile, wake

__all__ = [
    "Outcome",
    "Result",
    "drain",
    "drain_tenant",
    "mark_many",
    "mark_stale",
    "prune_marks",
    "reconcile",
    "reconcile_tenant",
    "start_missing",
    "start_reconcile",
    "wake",
]
