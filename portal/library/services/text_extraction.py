"""The text of a file of the platform's knowledge base: fetched, and taken out by a process with limits."""

import codecs
from typing import IO

from portal.connections.services import fetch_signed_file
from portal.lib.document_text import ZIP
from portal.lib.storable import storable_text
from portal.lib.text_extraction import Document, read_document
from portal.library.models import FILE
from portal.library.services.store_knowledge import FetchedText
from portal.platform_api import Platform, errors

MAX_BYTES = 25 * 1024**2
FETCH_SECONDS, READ_SECONDS = 30.0, 45.0
"""With the wait for a slot between them shorter than a task may take (120 s)."""
MAX_TEXT_BYTES = 2 * 1024**2
PDF, HEAD = b"%PDF-", 1024
NOT_FETCHED = "The file could not be fetched, or is larger than 25 MB."
OTHER_TYPE = "Only PDF, Word (.docx) and plain text files can be read."
TOO_LONG = "Only the first 2 MB: the file is too long to read in full."


def fetch_text(client: Platform, resource_id: str) -> FetchedText:
    """Fetch the file of a resource and read it.

    Raises NotFound when the resource is gone, TooManyReadings, and what the platform raises.
    """

    def sign() -> str:
        resource = client.knowledge_base.get(resource_id)
        return resource.file_url or "" if resource.type == FILE else ""

    try:
        file = fetch_signed_file(client, sign, limit=MAX_BYTES, seconds=FETCH_SECONDS)
    except (errors.StorageRefused, errors.UnusableFile):
        return FetchedText(resource_id, Document(problem=NOT_FETCHED))
    with file:
        return FetchedText(resource_id, read_file(file))


def read_file(file: IO[bytes]) -> Document:
    """Read a PDF, a Word document or plain text, by what it is and not by what it is called."""
    head = file.read(HEAD)
    file.seek(0)
    if PDF in head or head.startswith(ZIP):
        return read_document(file, seconds=READ_SECONDS)
    content, is_cut = file.read(MAX_TEXT_BYTES), bool(file.read(1))
    try:
        # What is cut may end within a letter.
        text = codecs.getincrementaldecoder("utf-8-sig")().decode(content, final=not is_cut)
    except UnicodeDecodeError:
        return Document(problem=OTHER_TYPE)
    if "\0" in text:
        return Document(problem=OTHER_TYPE)
    return Document(pages={0: storable_text(text)}, remark=TOO_LONG if is_cut else "")
