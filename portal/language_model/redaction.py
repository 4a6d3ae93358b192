"""What a text may not tell outside: the names, domains and addresses of customers. They are put back into what returns."""

import re
from collections.abc import Iterable
from typing import Final

from django.db.models.functions import Lower

from portal.accounts.models import Account
from portal.platform_api.errors import EMAIL

WORD: Final = re.compile(r"[\w.&'’-]+")
MAX_WORDS: Final = 6
"""Of a customer's name that is looked for."""
MIN_NAME_LENGTH: Final = 3
PLACEHOLDER: Final = re.compile(r"\[(?:CUSTOMER|EMAIL)-\d+\]")
"""What is left of these once all are put back was made up."""


class Redaction:
    """Replaces what names somebody by placeholders, the same one each time, and puts it back."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._placeholders: dict[str, str] = {}
        self._originals: dict[str, str] = {}
        joined = "\n".join(texts)
        for name in _names_in(joined):
            self._add(name, "CUSTOMER")
        for address in EMAIL.findall(joined):
            self._add(address, "EMAIL")
        # The longest first: a name may be a part of another one.
        names = sorted(self._placeholders, key=len, reverse=True)
        self._pattern = (
            re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names), re.IGNORECASE) if names else None
        )

    def hide(self, text: str) -> str:
        return self._pattern.sub(lambda found: self._placeholders[found[0].casefold()], text) if self._pattern else text

    def put_back(self, text: str) -> str:
        for placeholder, original in self._originals.items():
            text = text.replace(placeholder, original)
        return text

    def _add(self, name: str, kind: str) -> None:
        if name.casefold() not in self._placeholders:
            placeholder = f"[{kind}-{len(self._placeholders) + 1}]"
            self._placeholders[name.casefold()], self._originals[placeholder] = placeholder, name


def _names_in(text: str) -> list[str]:
    """Return the names and domains of the tenant's customers that a text has, whatever their capitals."""
    words = WORD.findall(text.lower())
    phrases = {
        phrase
        for start in range(len(words))
        for length in range(1, MAX_WORDS + 1)
        if len(phrase := " ".join(words[start : start + length]).strip(".")) >= MIN_NAME_LENGTH
    }
    named = Account.objects.annotate(lower=Lower("name")).filter(lower__in=phrases).values_list("name", flat=True)
    domains = Account.objects.filter(domain__in=phrases).values_list("domain", flat=True)
    return [*named, *domains]
