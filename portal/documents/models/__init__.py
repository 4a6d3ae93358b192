"""The copy of documents with what belongs to them, who they name, and files on their way to the platform."""

from portal.documents.models.attempts import ABSENT_AFTER, LEASE, VERIFY_AGAIN_AFTER, UploadAttempt, UploadState
from portal.documents.models.choices import STATUSES
from portal.documents.models.documents import FAR, SOMEBODY, Document, DocumentQuerySet
from portal.documents.models.evidence import Link, ProvenControl, Upload
from portal.documents.models.users import AccountUser

__all__ = [
    "ABSENT_AFTER",
    "FAR",
    "LEASE",
    "SOMEBODY",
    "STATUSES",
    "VERIFY_AGAIN_AFTER",
    "AccountUser",
    "Document",
    "DocumentQuerySet",
    "Link",
    "ProvenControl",
    "Upload",
    "UploadAttempt",
    "UploadState",
]
