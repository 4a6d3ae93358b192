"""Every change at the desk: storing what the platform says, and which controls a risk scenario has."""

from portal.risks.services.controls import add_control, change_type, remove_control
from portal.risks.services.export_audit import record_export
from portal.risks.services.store_controls import ask_for_controls

__all__ = ["add_control", "ask_for_controls", "change_type", "record_export", "remove_control"]
