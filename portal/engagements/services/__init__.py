"""Every change at the desk: storing what the platform says, having it read, and the firm's word about it there."""

from portal.engagements.errors import AlreadyDecided, AlreadyThere, Gone, NoFile, NotTheAuthor
from portal.engagements.services.additions import (
    NewControl,
    NewEvidenceRequest,
    NewRequest,
    add_control,
    add_request,
    ask_for_evidence,
)
from portal.engagements.services.assessments import assess_control
from portal.engagements.services.audits import NewAudit, delete_request, duplicate, share_requests
from portal.engagements.services.comments import add_comment, change_comment, delete_comment
from portal.engagements.services.coverage import covers_audits
from portal.engagements.services.decisions import accept_request, flag_request, move_evidence
from portal.engagements.services.downloads import fetch_evidence_file, fetch_request_file
from portal.engagements.services.export_audit import record_export
from portal.engagements.services.freshness import ask_for_details, ask_for_list, ask_for_lists

__all__ = [
    "AlreadyDecided",
    "AlreadyThere",
    "Gone",
    "NewAudit",
    "NewControl",
    "NewEvidenceRequest",
    "NewRequest",
    "NoFile",
    "NotTheAuthor",
    "accept_request",
    "add_comment",
    "add_control",
    "add_request",
    "ask_for_details",
    "ask_for_evidence",
    "ask_for_list",
    "ask_for_lists",
    "assess_control",
    "change_comment",
    "covers_audits",
    "delete_comment",
    "delete_request",
    "duplicate",
    "fetch_evidence_file",
    "fetch_request_file",
    "flag_request",
    "move_evidence",
    "record_export",
    "share_requests",
]
