"""Documents with their links and uploads (specification 2.3, platform-api 4.11)."""

from typing import Any

from portal.platform_api.models.remote import Listed, Moment, Remote


class Document(Listed):
    """A document that the programme asks for; its id is a readable slug. Lists leave out what follows the address."""

    title: str = ""
    description: str | None = None
    category: str | None = None
    owner_id: str | None = None
    is_sensitive: bool = False
    upload_status: str = ""
    upload_status_date: Moment | None = None
    url: str | None = None
    deactivated_status: dict[str, Any] | None = None
    note: str | None = None
    next_renewal_date: Moment | None = None
    renewal_cadence: str | None = None
    reminder_window: str | None = None
    subscribers: list[Any] = []


class Link(Listed):
    """An address that serves as evidence."""

    url: str
    title: str = ""
    description: str | None = None
    effective_date: Moment | None = None
    creation_date: Moment | None = None


class Uploader(Remote):
    """The one who uploaded a file: USER or APPLICATION."""

    id: str | None = None
    type: str | None = None


class Upload(Listed):
    """A file of a document; a deleted one has a deletion date."""

    file_name: str | None = None
    title: str = ""
    description: str | None = None
    url: str | None = None
    mime_type: str = ""
    uploaded_by: Uploader | None = None
    creation_date: Moment | None = None
    updated_date: Moment | None = None
    effective_date: Moment | None = None
    deletion_date: Moment | None = None
