from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from portal.accounts.models import Account


class CustomerForm(forms.Form):
    """Whose contract it is."""

    account_id = forms.CharField(required=False, max_length=200)
    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, before: str) -> None:
        super().__init__(data)
        self.before = before

    def clean_account_id(self) -> str:
        account_id: str = self.cleaned_data["account_id"]
        # One that is gone may stay; it is not chosen anew.
        if account_id not in ("", self.before) and not Account.objects.present().filter(platform_id=account_id).exists():
            raise ValidationError("This customer is no longer in the portal. Choose another one.")
        return account_id
