"""Every step on a mirror's way to the truth: mark, fetch, compare."""

from portal.sync.services.drain import drain, drain_tenant
from portal.sync.services.effects import Effects
from portal.sync.services.marks import TRUST_CENTER, Outcome, Result, mark_many, mark_stale, note_fetched, prune_marks
from portal.sync.services.missed import prune_missed
from portal.sync.services.reconcile import reconcile, reconcile_tenant
from portal.sync.services.runs import resume, start_missing, start_reconcile, wake

__all__ = [
    "TRUST_CENTER",
    "Effects",
    "Outcome",
    "Result",
    "drain",
    "drain_tenant",
    "mark_many",
    "mark_stale",
    "note_fetched",
    "prune_marks",
    "prune_missed",
    "reconcile",
    "reconcile_tenant",
    "resume",
    "start_missing",
    "start_reconcile",
    "wake",
]
