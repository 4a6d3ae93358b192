"""Files fetched from elsewhere for somebody who waits: whole before their first byte goes on, under a harmless name."""

import tempfile
import time
import unicodedata
from collections.abc import Iterable
from typing import IO, Any

from django.http import FileResponse

MAX_SECONDS = 60.0
"""However slowly it drips: a person waits, and a thread with them."""
IN_MEMORY = 8 * 1024 * 1024
MAX_NAME_LENGTH, MAX_SUFFIX_LENGTH = 100, 10


class TooSlow(Exception):
    """The file did not arrive in time."""


def spooled(chunks: Iterable[bytes], *, seconds: float | None = None) -> IO[bytes]:
    """Read a file to its end: one that broke off never looks like a whole one. Raises TooSlow, and what the chunks raise."""
    deadline = time.monotonic() + (MAX_SECONDS if seconds is None else seconds)
    target = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - the response closes it
    try:
        for chunk in chunks:
            target.write(chunk)
            if time.monotonic() > deadline:
                raise TooSlow
    except BaseException:
        target.close()
        raise
    target.seek(0)
    return target


def file_to_save(content: IO[Any], name: str) -> FileResponse:
    """Send a file of others on. Whatever is in it: one to save, never one to show (guarantee S5)."""
    response = FileResponse(content, as_attachment=True, filename=name, content_type="application/octet-stream")
    response["X-Content-Type-Options"] = "nosniff"
    response["Cache-Control"] = "no-store"
    return response


def harmless_name(text: str) -> str:
    """Return a text as a file name, with nothing in it that fools a file system or a reader; it may be empty."""
    letters = "".join(each if _is_harmless(each) else " " for each in text[:500])
    return " ".join(letters.split())[:MAX_NAME_LENGTH].strip(" .")


def safe_file_name(file_name: str, title: str) -> str:
    """Name a file as the platform does, else by what it is; what is cut off a long name is never its type."""
    stem, _, suffix = file_name.rpartition(".")
    name = harmless_name(stem or file_name or title) or "document"
    suffix = harmless_name(suffix)[:MAX_SUFFIX_LENGTH] if stem else ""
    return f"{name}.{suffix}" if suffix else name


def _is_harmless(letter: str) -> bool:
    """No controls, no direction marks, no surrogates; nothing that parts a path or that some system refuses in a name."""
    return unicodedata.category(letter)[0] != "C" and letter not in '/\\:*?"<>|%;' and letter.isprintable()
