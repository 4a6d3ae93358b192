"""The text of a PDF or a Word document, taken out by a process with limits."""

import fcntl
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from portal.lib import document_text
from portal.lib.children import kill_group, start
from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS

MAX_SECONDS = 70
"""With the wait for a slot shorter than the longest task (120 s); the process ends itself before."""
MAX_AT_ONCE = 2
"""On one machine, however many tasks its workers do: each may take `document_text.MEMORY`, beside all else they hold."""
MAX_WAIT_SECONDS = TASK_TIME_BUDGET_SECONDS
LOOK_SECONDS = 0.1
WORDS = {
    document_text.PASSWORD: "It is protected by a password. Save it without one, then upload it here.",
    document_text.BROKEN: "The file is damaged: it cannot be opened.",
    document_text.OTHER: "The file is neither a PDF nor a Word document.",
    document_text.ENDLESS: "It takes more time or memory than one document may.",
}


@dataclass(frozen=True)
class Document:
    """What came out of a document."""

    page_count: int = 0
    pages: dict[int, str] = field(default_factory=dict)
    """By their numbers; a text without pages has the number 0."""
    problem: str = ""
    """Why nothing could be read, in words for people."""
    remark: str = ""
    """What is left out of the text, in words for people."""

    @property
    def has_text(self) -> bool:
        return any(text.strip() for text in self.pages.values())


class TooManyReadings(Exception):
    """As many documents as may be are being read on this machine already."""


@contextmanager
def reading_slot() -> Iterator[None]:
    """Hold one of the slots of this machine; the kernel frees it, whatever ends this process.

    Waits at most `MAX_WAIT_SECONDS`, then raises TooManyReadings.
    """
    # Machines may share DATA_DIR, but not the folder in which their processes count.
    folder = Path(os.environ["PROMETHEUS_MULTIPROC_DIR"])
    deadline = time.monotonic() + MAX_WAIT_SECONDS
    with ExitStack() as opened:
        slots = [opened.enter_context((folder / f"reading-{number}.lock").open("w")) for number in range(MAX_AT_ONCE)]
        while not any(_take(slot) for slot in slots):
            if time.monotonic() >= deadline:
                raise TooManyReadings
            time.sleep(LOOK_SECONDS)
        yield


def _take(slot: IO[str]) -> bool:
    """Take a slot; False when another process or thread holds it."""
    try:
        fcntl.flock(slot, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def read_document(file: IO[Any], *, seconds: float = MAX_SECONDS) -> Document:
    """Read a PDF or a Word document. Raises TooManyReadings.

    A file that is endless, broken or hostile costs a process of bounded time and memory, nothing more.
    """
    with reading_slot(), tempfile.TemporaryFile("w+", encoding="utf-8") as output:
        child = start(
            # Isolated: neither the environment nor the folder says what it imports.
            [sys.executable, "-I", str(Path(document_text.__file__))],
            stdin=file,
            stdout=output,
            stderr=subprocess.DEVNULL,
        )
        try:
            child.wait(seconds)
        except subprocess.TimeoutExpired:
            pass  # it is told below by what it has written
        finally:
            kill_group(child)
        output.seek(0)
        return document_from(output)


def document_from(lines: Iterable[str]) -> Document:
    """Make a document of what the process has written, however it ended."""
    count, pages, ended = 0, dict[int, str](), document_text.ENDLESS
    for line in lines:
        try:
            match json.loads(line):
                case [int(number), str(text)]:
                    pages[number] = text
                case [int(number)]:
                    count = number
                case [str(word)]:
                    ended = word
        except ValueError:
            break  # killed in the middle of a line
    if not any(text.strip() for text in pages.values()) and ended in WORDS:
        return Document(count, problem=WORDS[ended])
    is_whole = ended == document_text.WHOLE
    read = f"first {len(pages):,} of {count:,} pages" if count else "beginning"
    remark = "" if is_whole else f"Only the {read}: the document is too long to be read whole."
    return Document(count, pages, remark=remark)
