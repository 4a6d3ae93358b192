"""The PDFs that people hand in: told by what is in them, and named so that the same one is known again."""

import re
import unicodedata
from hashlib import sha256
from pathlib import PurePath
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat

from portal.lib.storable import storable_text

SIGNATURE = b"%PDF-"
MAX_EXTERNAL_ID_LENGTH = 256
MAX_STEM_LENGTH = 250
MARK = 10
"""Letters that tell two long names apart which begin alike."""
SPACE = re.compile(r"\s+")


def problem_of(file: "UploadedFile[Any]") -> str:
    """Say why a file cannot be taken; empty where it can. It is read from its start again afterwards."""
    size = file.size or 0
    if not size:
        return "This file is empty."
    if size > settings.MAX_CONTRACT_BYTES:
        return f"This file is {filesizeformat(size)}; the limit is {filesizeformat(settings.MAX_CONTRACT_BYTES)}."
    file.seek(0)
    head = file.read(len(SIGNATURE))
    file.seek(0)
    return "" if head == SIGNATURE else "This is not a PDF. The platform accepts contracts as PDF only."


def stem(filename: str) -> str:
    """Take `.pdf` off a name; any other ending is a part of it."""
    path = PurePath(filename)
    if filename.lower() == ".pdf":
        return ""
    return path.stem if path.suffix.lower() == ".pdf" else filename


def name_of(filename: str) -> str:
    """What the platform is told as the name: it knows a PDF by its end as well."""
    return f"{plain(stem(filename))[:MAX_STEM_LENGTH] or 'contract'}.pdf"


def offered_id(filename: str, account_id: str) -> str:
    """The external id of a document that came without one: the same file of the same customer always has the same.

    Empty when the file has no name to take it from.
    """
    name = plain(stem(filename))
    if not name:
        return ""
    offered = f"{account_id}/{name}" if account_id else name
    if len(offered) <= MAX_EXTERNAL_ID_LENGTH:
        return offered
    return f"{offered[: MAX_EXTERNAL_ID_LENGTH - MARK - 1]}~{sha256(offered.encode()).hexdigest()[:MARK]}"


def plain(name: str) -> str:
    """One spelling of a name: some systems write letters with marks as two, and a folder copied there is still the same."""
    return SPACE.sub(" ", unicodedata.normalize("NFC", storable_text(name))).strip()
