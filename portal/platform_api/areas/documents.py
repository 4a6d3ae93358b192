"""Documents, their links and uploads (specification 4.3, 4.7, platform-api 4.11)."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import BinaryIO

from portal.platform_api.endpoints import SEED, Area, endpoint, media, paged
from portal.platform_api.models.compliance import Control
from portal.platform_api.models.documents import Document, Link, Upload
from portal.platform_api.request import Download


class Links(Area):
    """Addresses that serve as evidence."""

    name = "documents.links"
    root = "/documents/{document_id}/links"
    scope = "svc-api.documents"

    @paged(is_for_integrations=True)
    def all(self, document_id: str) -> Iterator[Link]:
        """Walk a document's links."""

    @endpoint("POST")
    def create(
        self,
        document_id: str,
        *,
        url: str,
        title: str,
        description: str | None = ...,
        effective_date: datetime | None = ...,
    ) -> Link:
        """Add a link."""

    @endpoint("DELETE", "/{link_id}")
    def delete(self, document_id: str, link_id: str) -> None:
        """Take a link away."""


class Uploads(Area):
    """Files of a document."""

    name = "documents.uploads"
    root = "/documents/{document_id}/uploads"
    scope = "svc-api.documents"

    @paged(is_for_integrations=True)
    def all(self, document_id: str) -> Iterator[Upload]:
        """Walk a document's files, deleted ones too: look at their deletion date."""

    @endpoint("POST", origin=SEED, is_form=True, is_for_integrations=True)
    def create(
        self,
        document_id: str,
        file: BinaryIO,
        *,
        filename: str,
        effective_at_date: datetime | None = None,
        description: str | None = None,
    ) -> Upload:
        """Upload a file. Not idempotent: the same file sent twice is there twice."""

    @endpoint("DELETE", "/{uploaded_file_id}")
    def delete(self, document_id: str, uploaded_file_id: str) -> None:
        """Delete a file."""

    @media("/{uploaded_file_id}/media", origin=SEED, is_for_integrations=True)
    def media(self, document_id: str, uploaded_file_id: str) -> AbstractContextManager[Download]:
        """Stream a file, in its own type."""


class Documents(Area):
    """Documents that the programme asks for. An application for integrations reaches these, too."""

    name = "documents"
    root = "/documents"
    scope = "svc-api.documents"
    links: Links
    uploads: Uploads

    @paged(is_for_integrations=True)
    def all(
        self, *, framework_matches_any: Sequence[str] | None = None, status_matches_any: Sequence[str] | None = None
    ) -> Iterator[Document]:
        """Walk the documents. The statuses are words with spaces, such as "Needs document"."""

    @endpoint("POST")
    def create(
        self,
        *,
        title: str,
        description: str,
        time_sensitivity: str,
        cadence: str,
        reminder_window: str,
        is_sensitive: bool,
    ) -> Document:
        """Ask for another document; its cadence and reminder are ISO 8601 durations from a fixed set."""

    @endpoint("GET", "/{document_id}", is_for_integrations=True)
    def get(self, document_id: str) -> Document:
        """Fetch one document."""

    @endpoint("DELETE", "/{document_id}")
    def delete(self, document_id: str) -> None:
        """Delete a document."""

    @paged("/{document_id}/controls", is_for_integrations=True)
    def controls(self, document_id: str) -> Iterator[Control]:
        """Walk the controls that a document proves."""

    @endpoint("POST", "/{document_id}/set-owner")
    def set_owner(self, document_id: str, user_id: str | None) -> Document:
        """Give the document to a user, or to nobody."""

    @endpoint("POST", "/{document_id}/submit")
    def submit(self, document_id: str) -> None:
        """Send the collected evidence."""
