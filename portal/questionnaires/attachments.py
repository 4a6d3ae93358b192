"""The files that somebody outside may send with an answer: documents and pictures that run nothing, told by what is in them."""

from collections.abc import Mapping
from pathlib import PurePath
from typing import IO, Any, Final

from portal.questionnaires.files import HEAD, MAIN_PART, NotTaken, clean_name, parts_of_zip

MAX_FILE_BYTES: Final = 1536 * 1024
"""A whole body of somebody who is not signed in stays below `DATA_UPLOAD_MAX_MEMORY_SIZE`, and so in memory (guarantee S20)."""
MAX_FILES: Final = 3
"""Of one answer: what one link can leave on the disk."""
MARKS: Final[Mapping[str, bytes]] = {
    ".pdf": b"%PDF-",
    ".png": b"\x89PNG\r\n\x1a\n",
    ".jpg": b"\xff\xd8\xff",
    ".jpeg": b"\xff\xd8\xff",
    ".docx": b"PK\x03\x04",
    ".xlsx": b"PK\x03\x04",
}
"""How a file of each ending begins."""
ACTIVE_PARTS: Final = ("vbaproject.bin", "vbadata.xml", "/activex/", "/embeddings/")
"""What makes an Office file run something, or carry another file."""
TAKEN: Final = "PDF, PNG, JPEG, Word (.docx) or Excel (.xlsx)"


def check_attachment(file: IO[Any], filename: str) -> str:
    """Return the name that a file is kept under. Raises NotTaken for one that is not taken; the file is at its start again."""
    suffix = PurePath(clean_name(filename)).suffix
    if suffix not in MARKS:
        raise NotTaken(f"This type of file is not accepted. Send it as {TAKEN}.")
    file.seek(0)
    head = file.read(HEAD)
    try:
        if not head.startswith(MARKS[suffix]) or (suffix in MAIN_PART and not _is_still(file, MAIN_PART[suffix])):
            raise NotTaken(f"This file does not match its extension {suffix}, or contains macros or other files. Send a PDF.")
    finally:
        file.seek(0)
    return clean_name(filename)


def _is_still(file: IO[Any], part: str) -> bool:
    """Say whether a file is an Office document without anything that runs; only its list of contents is read."""
    names = [f"/{name}".lower() for name in parts_of_zip(file)]
    return f"/{part}" in names and not any(active in name for name in names for active in ACTIVE_PARTS)
