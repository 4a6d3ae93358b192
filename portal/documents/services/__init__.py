"""Every change at the desk: storing what the platform says, files and links on their way there and back, what is taken out."""

from portal.documents.errors import AlreadyThere, Gone, UploadUnderWay
from portal.documents.services.details import ask_for_details, tenants_with_old_details
from portal.documents.services.downloads import fetch_file, role_to_download
from portal.documents.services.evidence import ask_for_evidence
from portal.documents.services.export_audit import record_export
from portal.documents.services.links import NewLink, add_link
from portal.documents.services.outcomes import due_verifications, verify_again
from portal.documents.services.removals import delete_file, remove_link
from portal.documents.services.uploads import NewFile, dismiss_upload, upload_file

__all__ = [
    "AlreadyThere",
    "Gone",
    "NewFile",
    "NewLink",
    "UploadUnderWay",
    "add_link",
    "ask_for_details",
    "ask_for_evidence",
    "delete_file",
    "dismiss_upload",
    "due_verifications",
    "fetch_file",
    "record_export",
    "remove_link",
    "role_to_download",
    "tenants_with_old_details",
    "upload_file",
    "verify_again",
]
