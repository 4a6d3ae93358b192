"""What an answer says, whatever the form calls it: yes, no, in part, or not applicable."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from portal.lib.sentences import sentences


class Meaning(StrEnum):
    """What a closed question can be answered with."""

    YES = "yes"
    NO = "no"
    PARTLY = "partly"
    NOT_APPLICABLE = "not-applicable"

    @property
    def contrary(self) -> "Meaning":
        """What it becomes where the contrary is asked for."""
        return {Meaning.YES: Meaning.NO, Meaning.NO: Meaning.YES}.get(self, self)


LABELS: Final[Mapping[Meaning, str]] = {
    Meaning.YES: (
        "yes | y | true | compliant | fully compliant | in place | fully in place | implemented | fully implemented | met"
        " | fully met | supported | fully supported | comply | complies | we comply"
        " | conforms | conformant | satisfied | agree | agreed"
    ),
    Meaning.NO: (
        "no | n | false | non compliant | noncompliant | not compliant | not in place | not implemented | not met | unmet"
        " | not supported | unsupported | do not comply | does not comply | not satisfied | disagree"
    ),
    Meaning.PARTLY: (
        "partial | partially | partly | in part | partially compliant | partly compliant | partially in place"
        " | partially implemented | partly implemented | partially met | partially supported"
    ),
    Meaning.NOT_APPLICABLE: "n a | na | not applicable | does not apply | not relevant",
}
_meanings: Final = {label.strip(): meaning for meaning, labels in LABELS.items() for label in labels.split("|")}
ALTERNATIVES: Final = re.compile(r"\s*(?:[/|(),;:–—]|\s-\s)\s*")
OPENING: Final = re.compile(r"(yes|no|partially|partly|not applicable|n/a)(?:[.,:;!]|\s*[–—-]\s|$)\s*", re.IGNORECASE)
"""How an answer in sentences begins where it says what it means: `No company can …` is no No."""
RESTRICTION: Final = re.compile(
    r"\b(but|except|exceptions?|excluding|however|unless|only|although|apart from|other than|limited to|not yet|planned)\b",
    re.IGNORECASE,
)
"""What takes back a part of what was said."""


def folded(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


def meaning_of_label(label: str) -> Meaning | None:
    """Return what a choice means by itself; nothing where its words could mean more than one thing."""
    if known := _meanings.get(folded(label)):
        return known
    parts = {_meanings.get(folded(part)) for part in ALTERNATIVES.split(label) if folded(part)}
    return parts.pop() if len(parts) == 1 else None


def meaning_of_text(text: str) -> Meaning | None:
    """Return what an answer in sentences says at its beginning, unless its first sentence takes a part of it back."""
    opening = OPENING.match(text.strip())
    if opening is None or RESTRICTION.search(" ".join(sentences(text)[:2])):
        return None
    return _meanings[folded(opening[1])]


def without_opening(text: str) -> str:
    """Take the Yes or No away that a text begins with."""
    rest = OPENING.sub("", text.strip(), count=1)
    return rest[:1].upper() + rest[1:]
