"""Every change at the desk: the switches that people press, and what comes of them."""

from portal.trust_documents.services.outcomes import due_switches, verify_outcome, wake_switches
from portal.trust_documents.services.switching import AlreadyOnItsWay, NotSwitchable, switch

__all__ = ["AlreadyOnItsWay", "NotSwitchable", "due_switches", "switch", "verify_outcome", "wake_switches"]
