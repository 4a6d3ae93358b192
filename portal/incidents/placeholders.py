"""What templates of messages may name, and how it is filled in. Text in, text out; nothing of it is ever run."""

import re
from collections.abc import Mapping

PLACEHOLDERS = {
    "customer": "the customer's name",
    "company": "our name",
    "incident": "the title for customers; “security incident” if there is none",
    "noticed_at": "when it was noticed, in the time zone of the promise",
    "deadline": "the deadline for notifying the customer, in the same time zone",
    "kinds": "the kinds of data",
    "promise": "what was promised, such as 24 hours",
    "contract": "the contract and its clause, or our standard",
}
NAMED = re.compile(r"\{([^{}\n]*)\}")

DEFAULT_NAME = "Built-in text"
DEFAULT_SUBJECT = "Notice from {company}: {incident}"
UNTITLED = "security incident"
DEFAULT_TEXT = """Dear {customer} team,

We are writing to let you know about a security incident that may affect your data.

Incident: {incident}
Noticed: {noticed_at}
Data affected: {kinds}

What happened, what we know so far, what we have done and what we recommend you do:

-

We will send an update as soon as we know more. If you have questions, please reply to this message.

{company}
"""


def unknown_in(text: str) -> list[str]:
    """Return what stands in braces and is no placeholder, in order, each once."""
    return [name for name in dict.fromkeys(NAMED.findall(text)) if name not in PLACEHOLDERS]


def fill(text: str, values: Mapping[str, str]) -> str:
    """Put values in the place of placeholders. Braces within a value are no placeholders."""
    return NAMED.sub(lambda found: values.get(found[1], found[0]), text)
