"""Takes the text out of a PDF or a Word file, as a process of its own: what a hostile one does there, it does to nobody else.

Run as a script with the file as standard input. It knows nothing of the portal, and writes one JSON array per line: first the
number of pages, then number and text of each page that it read, last how it ended. Word makes its pages when it shows them:
such a document is one page of number 0.
"""

import json
import logging
import re
import resource
import sys
import time
import zipfile
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING or __name__ == "__main__":
    # Every process of the portal imports this file for its words, and the libraries are a tenth of what they would load.
    from lxml import etree
    from pypdf import PasswordType, PdfReader

MAX_PAGES = 2000
MAX_LETTERS = 8_000_000
MAX_LETTERS_OF_A_PAGE = 100_000
SECONDS = 40.0
"""Then what was read until there is the text; one page that takes longer is ended by the kernel."""
CPU_SECONDS = 50
MEMORY = 384 * 1024**2
"""Of addresses. Python with its libraries takes 61 MiB of them, 2,000 full pages 81, a picture of 48 MiB beside the text 109, a
single page of 5 MB 209; a page of 1.4 KB that unfolds itself wants 930."""
MAX_OUTPUT_BYTES = 64 * 1024**2
PASSWORD, BROKEN, OTHER, ENDLESS, WHOLE, CUT = "password", "broken", "other", "endless", "whole", "cut"
ZIP = b"PK\x03\x04"
"""A Word document is a ZIP archive of parts."""
WORD_PART = re.compile(r"word/document\d*\.xml")
TEXT_AND_BREAKS = "{*}t", "{*}tab", "{*}br", "{*}cr"
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def main() -> None:
    for limit, value in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_FSIZE, MAX_OUTPUT_BYTES),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 64),
    ):
        resource.setrlimit(limit, (value, value))
    logging.disable(logging.CRITICAL)
    sys.stderr = open("/dev/null", "w")  # noqa: SIM115, PTH123 - what a file makes the library say belongs into no log
    try:
        ended = read()
    except (RecursionError, MemoryError):
        ended = ENDLESS
    except Exception:
        ended = BROKEN
    tell(ended)


def read() -> str:
    file, until = sys.stdin.buffer, time.monotonic() + SECONDS
    # Whoever hands it over may have looked into it: what their buffer calls the beginning is none to another process.
    file.seek(0)
    is_zip = file.read(len(ZIP)) == ZIP
    file.seek(0)
    return read_word(file, until) if is_zip else read_pdf(file, until)


def read_pdf(file: IO[bytes], until: float) -> str:
    reader, letters = PdfReader(file), 0
    if reader.is_encrypted and reader.decrypt("") == PasswordType.NOT_DECRYPTED:
        return PASSWORD
    count = len(reader.pages)
    tell(count)
    for number in range(1, min(count, MAX_PAGES) + 1):
        if time.monotonic() > until or letters > MAX_LETTERS:
            return CUT
        text = text_of(reader, number)
        letters += len(text)
        tell(number, text)
    return CUT if count > MAX_PAGES else WHOLE


def text_of(reader: "PdfReader", number: int) -> str:
    """One page that cannot be read keeps nobody from the others."""
    try:
        text = reader.pages[number - 1].extract_text()
    except (RecursionError, MemoryError):
        raise
    except Exception:
        return ""
    return UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)[:MAX_LETTERS_OF_A_PAGE]


def read_word(file: IO[bytes], until: float) -> str:
    with zipfile.ZipFile(file) as archive:
        part = next((name for name in archive.namelist() if WORD_PART.fullmatch(name)), None)
        if part is None:
            return OTHER
        found, letters, ended = list[str](), 0, WHOLE
        with archive.open(part) as content:
            for text in paragraphs_of(content):
                found.append(text)
                letters += len(text)
                if time.monotonic() > until or letters > MAX_LETTERS:
                    ended = CUT
                    break
    tell(0)
    tell(0, UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", "\n\n".join(found))[:MAX_LETTERS])
    return ended


def paragraphs_of(content: IO[bytes]) -> Iterator[str]:
    """Give the paragraphs of a Word document in their order, those of tables and boxes as well; nothing that was deleted."""
    for _, paragraph in etree.iterparse(content, events=("end",), tag="{*}p", resolve_entities=False, no_network=True):
        text = "".join((part.text or "") if part.tag.endswith("}t") else " " for part in paragraph.iter(*TEXT_AND_BREAKS))
        # What older programs show instead repeats it.
        is_repeated = any(each.tag.endswith("}Fallback") for each in paragraph.iterancestors())
        paragraph.clear()
        if text.strip() and not is_repeated:
            yield text


def tell(*values: object) -> None:
    sys.stdout.write(json.dumps(values) + "\n")
    # Whatever ends this process: what it has read until there counts.
    sys.stdout.flush()


if __name__ == "__main__":
    main()
