"""Every change at the desk: the switches that people press, and what comes of them."""

from portal.tags.services.export_audit import record_export
from portal.tags.services.outcomes import due_switches, verify_outcome, wake_switches
from portal.tags.services.switches import AlreadyOnItsWay, NotSwitchable, switch

__all__ = [
    "AlreadyOnItsWay",
    "NotSwitchable",
    "due_switches",
    "record_export",
    "switch",
    "verify_outcome",
    "wake_switches",
]
