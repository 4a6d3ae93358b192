"""Every change at the desk: the switches that people press, and what comes of them."""

from portal.trust_documents.services.settling import due_switches, look_for, wake_switches
from portal.trust_documents.services.switching import AlreadyOnItsWay, NotSwitchable, switch

__all__ = ["AlreadyOnItsWay", "NotSwitchable", "due_switches", "look_for", "switch", "wake_switches"]
