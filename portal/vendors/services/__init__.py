"""Every change at the desk: storing what the platform says, having it read, and changing it there."""

from portal.vendors.errors import AlreadyThere, ChangedMeanwhile, Gone
from portal.vendors.services.export_audit import record_export
from portal.vendors.services.findings import FindingText, add_finding, change_finding
from portal.vendors.services.freshness import ask_for_parts
from portal.vendors.services.labels import ask_for_labels
from portal.vendors.services.status import set_status

__all__ = [
    "AlreadyThere",
    "ChangedMeanwhile",
    "FindingText",
    "Gone",
    "add_finding",
    "ask_for_labels",
    "ask_for_parts",
    "change_finding",
    "record_export",
    "set_status",
]
