from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from portal.commitments.forms.promises import PromiseForm
from portal.commitments.models import Standard, Term, Unit
from portal.commitments.units import UNITS


class StandardForm(PromiseForm):
    """Our standard of one term."""

    seen = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(self, data: Any = None, *, term: Term, standard: Standard | None) -> None:
        self.term, self.standard = term, standard
        columns = ("amount", "unit", "words")
        initial = {name: getattr(standard, name) for name in columns} if standard else {}
        if standard and standard.amount is not None:
            initial["amount"] = f"{standard.amount.normalize():f}"
        super().__init__(data, initial=initial)
        units = UNITS[term]
        self.fields["unit"].choices = [("", Unit.NONE.label), *((each.value, each.label) for each in units)]  # type: ignore[attr-defined]
        if not units:
            del self.fields["amount"], self.fields["unit"]
            self.fields["words"].label = "What we promise"

    def term_of(self, cleaned: dict[str, Any]) -> str:
        return self.term

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if "amount" not in self.fields:
            cleaned |= {"amount": None, "unit": ""}
            if not cleaned.get("words") and "words" not in self.errors:
                self.add_error("words", "Enter what is promised.")
        else:
            cleaned = super().clean()
        if cleaned.get("seen") != self.version:
            now = f"“{self.standard.promise}”" if self.standard else "none"
            raise ValidationError(f"Someone else changed this standard. It is now {now}. Check it, then save again.")
        return cleaned

    @property
    def version(self) -> str:
        """Which state of the standard the form is drawn with."""
        return self.standard.version if self.standard else ""
