"""Mail addresses in texts that people have written."""

from portal.platform_api.errors import EMAIL

ENDS = ".,;:!?"
"""What ends a sentence, and no address."""


def unnamed(text: str) -> str:
    """Take whatever looks like a mail address out of a text that is never erased."""
    return EMAIL.sub("<email>", text)


def addresses_in(text: str) -> list[str]:
    """Return the mail addresses in a text as they stand there, each once."""
    return list(dict.fromkeys(found.rstrip(ENDS) for found in EMAIL.findall(text)))
