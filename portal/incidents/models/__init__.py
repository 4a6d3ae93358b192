"""Incidents, whom each of them obliges us to tell, and the log of what was done about it."""

from portal.incidents.models.drafts import Draft, DraftTemplate
from portal.incidents.models.incidents import Incident, IncidentQuerySet, Responder
from portal.incidents.models.log import LogEntry, Step
from portal.incidents.models.mentions import Mention
from portal.incidents.models.notices import NEVER, Channel, Notice, NoticeQuerySet, Rank, State

__all__ = [
    "NEVER",
    "Channel",
    "Draft",
    "DraftTemplate",
    "Incident",
    "IncidentQuerySet",
    "LogEntry",
    "Mention",
    "Notice",
    "NoticeQuerySet",
    "Rank",
    "Responder",
    "State",
    "Step",
]
