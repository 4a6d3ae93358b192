"""Mail that is written down on this machine instead of being sent, in a form that a person can read and copy from.

Django's own backends fold long lines as quoted-printable text: a link that is copied from one of their files is broken.
"""

import email.policy

from django.core.mail import EmailMessage
from django.core.mail.backends import console, filebased

READABLE = email.policy.default.clone(cte_type="8bit", utf8=True, max_line_length=998, linesep="\n")
"""998 is the longest line that RFC 5322 allows; a text within it is neither folded nor encoded."""
RULE = "-" * 79


def as_text(message: EmailMessage) -> str:
    """Return a message as it is written down, its body as it was composed."""
    return f"{message.message(policy=READABLE).as_bytes().decode()}\n{RULE}\n"


class ConsoleBackend(console.EmailBackend):
    """Prints messages."""

    def write_message(self, message: EmailMessage) -> None:
        self.stream.write(as_text(message))


class FileBackend(filebased.EmailBackend):
    """Writes messages to a folder, those of one moment into one file."""

    def write_message(self, message: EmailMessage) -> None:
        self.stream.write(as_text(message).encode())  # type: ignore[arg-type] # Django opens the file for bytes
