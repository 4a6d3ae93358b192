"""Takes the text out of a PDF, as a process of its own: what a hostile file does there, it does to nobody else.

Run as a script with the file as standard input. It knows nothing of the portal, and writes one JSON array per line: first the
number of pages, then number and text of each page that it read, last how it ended.
"""

import json
import logging
import re
import resource
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING or __name__ == "__main__":
    # Every process of the portal imports this file for its words, and the library is a tenth of what they would load.
    from pypdf import PasswordType, PdfReader

MAX_PAGES = 2000
MAX_LETTERS = 8_000_000
MAX_LETTERS_OF_A_PAGE = 100_000
SECONDS = 40.0
"""Then what was read until there is the text; one page that takes longer is ended by the kernel."""
CPU_SECONDS = 50
MEMORY = 1024**3
MAX_OUTPUT_BYTES = 64 * 1024**2
PASSWORD, BROKEN, ENDLESS, WHOLE, CUT = "password", "broken", "endless", "whole", "cut"
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
    reader, until, letters = PdfReader(sys.stdin.buffer), time.monotonic() + SECONDS, 0
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


def tell(*values: object) -> None:
    sys.stdout.write(json.dumps(values) + "\n")
    # Whatever ends this process: what it has read until there counts.
    sys.stdout.flush()


if __name__ == "__main__":
    main()
