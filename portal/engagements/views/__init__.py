"""The pages of the desk."""

from portal.engagements.views.additions import (
    delete_request,
    duplicate,
    new_control,
    new_request,
    request_evidence,
    share_requests,
)
from portal.engagements.views.audits import audit_list, controls_page, evidence_page, requests_page
from portal.engagements.views.comments import add_comment, change_comment, delete_comment
from portal.engagements.views.controls import assess_control, control_page
from portal.engagements.views.evidence import evidence_file, evidence_item_page, move_evidence
from portal.engagements.views.exports import export
from portal.engagements.views.organization import organization_page
from portal.engagements.views.requests import accept_request, flag_request, request_file, request_page

__all__ = [
    "accept_request",
    "add_comment",
    "assess_control",
    "audit_list",
    "change_comment",
    "control_page",
    "controls_page",
    "delete_comment",
    "delete_request",
    "duplicate",
    "evidence_file",
    "evidence_item_page",
    "evidence_page",
    "export",
    "flag_request",
    "move_evidence",
    "new_control",
    "new_request",
    "organization_page",
    "request_evidence",
    "request_file",
    "request_page",
    "requests_page",
    "share_requests",
]
