"""Every change: opening and planning, telling, drafts and templates, reminders."""

from portal.incidents.services.drafts import (
    Message,
    NameTaken,
    TemplateRemoved,
    delete_template,
    save_draft,
    store_template,
)
from portal.incidents.services.exports import note_export, note_list_export
from portal.incidents.services.incident_log import AREA, IncidentClosed
from portal.incidents.services.incidents import (
    ChangedMeanwhile,
    IncidentFacts,
    add_remark,
    change_incident,
    close_incident,
    open_incident,
    reopen_incident,
)
from portal.incidents.services.notifications import AlreadySettled, Outcome, Telling, exempt, mark_notified, revert
from portal.incidents.services.plans import Difference, difference_of, replan
from portal.incidents.services.reminders import remind_all

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
    "TemplateRemoved",
    "add_remark",
    "change_incident",
    "close_incident",
    "delete_template",
    "difference_of",
    "exempt",
    "mark_notified",
    "note_export",
    "note_list_export",
    "open_incident",
    "remind_all",
    "reopen_incident",
    "replan",
    "revert",
    "save_draft",
    "store_template",
]
