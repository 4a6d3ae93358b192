"""The files that the platform takes questionnaires out of, told by what is in them and not by their names alone."""

import re
import zipfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import PurePath
from typing import IO, Any, Final

from portal.lib.storable import storable_text

KIND_OF: Final[Mapping[str, str]] = {".xlsx": "SPREADSHEET", ".docx": "DOCUMENT", ".pdf": "DOCUMENT"}
MAIN_PART: Final = {".xlsx": "xl/workbook.xml", ".docx": "word/document.xml"}
CALLED: Final = {".xlsx": "an Excel workbook", ".docx": "a Word document", ".pdf": "a PDF"}
PDF: Final = b"%PDF-"
HEAD: Final = 1024
"""Some programs write a few bytes before the mark of a PDF."""
OLD_OFFICE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""What Office wrote until 2003, and still writes around a file that is protected by a password."""
MAX_STEM_LENGTH: Final = 200
UNPRINTABLE: Final = re.compile(r"[^\w .,()\[\]&+=@'’–-]")
"""What is no part of a usual name may end a header, turn a line around or lead into a folder (guarantee S5)."""


class NotTaken(ValueError):
    """The platform would not take this file. The message says why, in words for the person."""


def check(file: IO[Any], filename: str) -> None:
    """Say by an exception that a file is none that the platform takes. The file is read from its start again afterwards."""
    suffix = PurePath(filename).suffix.lower()
    if suffix not in KIND_OF:
        raise NotTaken("The platform accepts only .xlsx, .docx and .pdf. Save it as one of these, then choose it again.")
    file.seek(0)
    head = file.read(HEAD)
    try:
        if not head:
            raise NotTaken("This file is empty.")
        if head.startswith(OLD_OFFICE):
            raise NotTaken("This file has a password or an old Office format. Save it without, then choose it again.")
        is_right = PDF in head if suffix == ".pdf" else MAIN_PART[suffix] in parts_of_zip(file)
        if not is_right:
            raise NotTaken(f"This is not {CALLED[suffix]}, although its name ends in {suffix}.")
    finally:
        file.seek(0)


def parts_of_zip(file: IO[Any]) -> frozenset[str]:
    """Return the names of what a zip holds, from its list of contents alone; none where it is no zip."""
    try:
        with zipfile.ZipFile(file) as archive:
            return frozenset(archive.NameToInfo)
    # The last one is Python's word on archives over several disks, and on versions of the format that it does not read.
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return frozenset()


def fingerprint(file: IO[Any]) -> str:
    """Return the SHA-256 of a file, read in pieces."""
    file.seek(0)
    digest = sha256()
    while piece := file.read(1024 * 1024):
        digest.update(piece)
    file.seek(0)
    return digest.hexdigest()


def clean_name(filename: str) -> str:
    """Return a file name that can travel: no folders, nothing unprintable, not too long, its ending in lower case."""
    path = PurePath(storable_text(filename).replace("\\", "/"))
    stem = re.sub(r"\s+", " ", UNPRINTABLE.sub(" ", path.stem)).strip(" .")[:MAX_STEM_LENGTH].strip()
    return f"{stem or 'questionnaire'}{path.suffix.lower()}"


def name_from(filename: str) -> str:
    """Call a questionnaire by its file, where the person gave no name."""
    return re.sub(r"[\s_]+", " ", PurePath(clean_name(filename)).stem).strip()
