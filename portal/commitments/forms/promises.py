from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from portal.commitments.comparison import Promise
from portal.commitments.models import Unit
from portal.commitments.units import validation_error
from portal.lib.storable import storable_text
from portal.platform_api.errors import EMAIL

MAX_WORDS_LENGTH = 300


def without_address(text: str) -> str:
    """Refuse a mail address where none is looked for when a person asks to be erased."""
    if EMAIL.search(text):
        raise ValidationError("Don't enter email addresses here. Who to notify and the contract wording have their own fields.")
    return text


class PromiseForm(forms.Form):
    """A promise: a number with its unit, or words."""

    amount = forms.DecimalField(
        label="Number",
        required=False,
        max_digits=9,
        decimal_places=3,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
    )
    unit = forms.ChoiceField(label="Counted in", choices=Unit.choices, required=False)
    words = forms.CharField(
        label="Or in words",
        required=False,
        max_length=MAX_WORDS_LENGTH,
        help_text="If a number can't express it, such as “without undue delay” or “within the European Union”.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def clean_words(self) -> str:
        return without_address(" ".join(storable_text(self.cleaned_data["words"]).split()))

    def term_of(self, cleaned: dict[str, Any]) -> str:
        """Return the term that the promise is of; empty while that is not known."""
        return str(cleaned.get("term", ""))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        amount, unit = cleaned.get("amount"), cleaned.get("unit", "")
        if "amount" in self.errors or "unit" in self.errors:
            return cleaned
        if amount is not None and cleaned.get("words"):
            self.add_error("words", "Enter a number or words, not both.")
        elif amount is not None:
            self._check_number(amount, unit, self.term_of(cleaned))
        elif unit:
            self.add_error("amount", "Enter the number, or choose “no number”.")
        elif not cleaned.get("words") and "words" not in self.errors:
            self.add_error("amount", "Enter what is promised, as a number or in words.")
        return cleaned

    def _check_number(self, amount: Decimal, unit: str, term: str) -> None:
        if not unit:
            self.add_error("unit", "Choose a unit for the number.")
        elif term:
            field, words = validation_error(term, amount, unit)
            if words:
                self.add_error(field, words)

    @property
    def promise(self) -> Promise:
        """What was typed."""
        typed = self.cleaned_data
        return Promise(typed["amount"], typed["unit"], typed["words"])
