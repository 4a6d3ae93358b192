"""Every change at the desk: taking a request in, having it carried out, giving it up, looking again."""

from portal.connections.services import NotConnected
from portal.deletion_requests.services.desk_settings import set_desk_settings
from portal.deletion_requests.services.erasure import process_request
from portal.deletion_requests.services.export_audit import record_export
from portal.deletion_requests.services.identity import NotWaiting, note_identity
from portal.deletion_requests.services.intake import AlreadyOpen, NewRequest, receive, receive_many
from portal.deletion_requests.services.links import (
    TooManyRequests,
    make_link,
    open_link,
    receive_by_link,
    revoke_link,
)
from portal.deletion_requests.services.request_actions import BeingSent, IdentityOpen, ask_again, close, send, submit
from portal.deletion_requests.services.verification import check_for_returns

__all__ = [
    "AlreadyOpen",
    "BeingSent",
    "IdentityOpen",
    "NewRequest",
    "NotConnected",
    "NotWaiting",
    "TooManyRequests",
    "ask_again",
    "check_for_returns",
    "close",
    "make_link",
    "note_identity",
    "open_link",
    "process_request",
    "receive",
    "receive_by_link",
    "receive_many",
    "record_export",
    "revoke_link",
    "send",
    "set_desk_settings",
    "submit",
]
