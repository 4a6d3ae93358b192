"""Every change at the desk: taking a file in, sending it, giving it up, and storing what the platform has."""

from portal.contracts.services.receiving import AlreadyOnItsWay, AlreadyThere, NewUpload, accept_upload
from portal.contracts.services.sending import run_upload
from portal.contracts.services.steering import NotPossible, delete_leftover_files, discard, send_again, wake_uploads

__all__ = [
    "AlreadyOnItsWay",
    "AlreadyThere",
    "NewUpload",
    "NotPossible",
    "accept_upload",
    "delete_leftover_files",
    "discard",
    "run_upload",
    "send_again",
    "wake_uploads",
]
