from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile

from portal.lib.spreadsheets import Unreadable
from portal.members.services.tenant_import import PlannedTenant, plan_tenants
from portal.tenants.models import Membership, Role
from portal.users.forms import NameField, PersonNameField, ZoneField
from portal.users.models import User

MAX_FILE_BYTES = 1024**2


class TenantForm(forms.Form):
    """A new tenant."""

    name = NameField(label="Company name", help_text="The company whose trust work you'll do here.")


class TenantsForm(forms.Form):
    """A file with new tenants."""

    file = forms.FileField(
        label="CSV file",
        widget=forms.FileInput(attrs={"accept": "text/csv,.csv"}),
        help_text="Columns: name, and optionally owner email to invite a second owner. At most 50 lines.",
    )
    plans: list[PlannedTenant]

    def __init__(self, *args: Any, owner: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._owner = owner

    def clean_file(self) -> "UploadedFile[Any]":
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > MAX_FILE_BYTES:
            raise ValidationError("This file is larger than 1 MB.")
        try:
            self.plans = plan_tenants(file.read(), owner=self._owner)
        except Unreadable as error:
            raise ValidationError(str(error)) from error
        return file


class RoleField(forms.TypedChoiceField):
    """The roles up to the own one: nobody hands out more than they have."""

    def __init__(self, *, by: Membership, **options: Any) -> None:
        choices = [(role.value, f"{role.label}: {role.meaning}") for role in Role if by.may(role)]
        super().__init__(choices=choices, coerce=lambda value: Role(int(value)), **options)


class InviteForm(forms.Form):
    """Whom to let in, as what."""

    email = forms.EmailField(label="Email")

    def __init__(self, *args: Any, by: Membership, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"] = RoleField(by=by, initial=Role.ANALYST)


class RoleForm(forms.Form):
    """Another role for a member."""

    def __init__(self, *args: Any, by: Membership, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"] = RoleField(by=by)


class JoinForm(forms.Form):
    """Who joins by a link: a name, a password, and the time zone of the browser."""

    name = PersonNameField()
    password = forms.CharField(
        label="Choose a password", strip=False, widget=forms.PasswordInput({"autocomplete": "new-password"}), max_length=200
    )
    timezone = ZoneField()

    def __init__(self, *args: Any, email: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._email = email
        self.fields["password"].help_text = "At least 12 characters."

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        validate_password(password, User(email=self._email, name=self.cleaned_data.get("name", "")))
        return password
