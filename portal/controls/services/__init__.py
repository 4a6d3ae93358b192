"""Every change at the desk: storing what the platform says. Controls themselves are changed on the platform."""

from portal.controls.services.export_audit import record_export
from portal.controls.services.store_parts import ask_for_evidence, ask_for_requirements

__all__ = ["ask_for_evidence", "ask_for_requirements", "record_export"]
