"""Every change: opening and planning, telling, drafts and templates, reminders."""

from portal.incidents.services.drafting import Message, NameTaken, delete_template, save_draft, store_template
from portal.incidents.services.exporting import note_export
from portal.incidents.services.opening import (
    ChangedMeanwhile,
    IncidentFacts,
    add_remark,
    change_incident,
    close_incident,
    open_incident,
    reopen_incident,
)
from portal.incidents.services.planning import Difference, difference_of, replan
from portal.incidents.services.reminding import remind_all
from portal.incidents.services.telling import AlreadySettled, Outcome, Telling, spare, take_back, tell
from portal.incidents.services.writing import AREA, IncidentClosed

__all__ = [
    "AREA",
    "AlreadySettled",
    "ChangedMeanwhile",
    "Difference",
    "IncidentClosed",
    "IncidentFacts",
    "Message",
    "NameTaken",
    "Outcome",
    "Telling",
    "add_remark",
    "change_incident",
    "close_incident",
    "delete_template",
    "difference_of",
    "note_export",
    "open_incident",
    "remind_all",
    "reopen_incident",
    "replan",
    "save_draft",
    "spare",
    "store_template",
    "take_back",
    "tell",
]
