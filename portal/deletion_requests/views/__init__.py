"""The pages of the desk, and the public one."""

from portal.deletion_requests.views.exports import export
from portal.deletion_requests.views.intake import read_file, receive, receive_file
from portal.deletion_requests.views.ledger import certificate_file, deletion_request_list, detail, find
from portal.deletion_requests.views.public import ask_for_erasure
from portal.deletion_requests.views.requests import close, new, note_identity, retry, review, send, submit
from portal.deletion_requests.views.settings import desk, intake_link, set_desk

__all__ = [
    "ask_for_erasure",
    "certificate_file",
    "close",
    "deletion_request_list",
    "desk",
    "detail",
    "export",
    "find",
    "intake_link",
    "new",
    "note_identity",
    "read_file",
    "receive",
    "receive_file",
    "retry",
    "review",
    "send",
    "set_desk",
    "submit",
]
