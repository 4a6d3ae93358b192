"""The pages of the desk."""

from portal.documents.views.changes import delete_file, dismiss_upload, download, new_link, remove_link, upload
from portal.documents.views.documents import document_list, document_page
from portal.documents.views.exports import export

__all__ = [
    "delete_file",
    "dismiss_upload",
    "document_list",
    "document_page",
    "download",
    "export",
    "new_link",
    "remove_link",
    "upload",
]
