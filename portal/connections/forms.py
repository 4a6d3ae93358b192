from datetime import datetime, time, timedelta
from typing import Any
from urllib.parse import unquote, urlsplit

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils import timezone

from portal.connections.models import Connection, Region
from portal.connections.services.platform import regions
from portal.platform_api.identifiers import MAX_ID_LENGTH, identifier_problem
from portal.tenants.models import Tenant

NO_SPACES = RegexValidator(r"\A[\x21-\x7e]+\Z", "Use letters, digits and symbols without spaces, as the platform shows it.")
MAX_PURGE = timedelta(days=366)


class ConnectForm(forms.Form):
    """Where the tenant's account lives; the platform has no way to tell."""

    region = forms.ChoiceField(label="Region of your account on the platform")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["region"].choices = [(region.value, region.label) for region in regions()]  # type: ignore[attr-defined]

    def clean_region(self) -> Region:
        return Region(self.cleaned_data["region"])


class OwnApplicationForm(ConnectForm):
    """An application that the tenant made for itself (specification section 5): its id and secret instead of a consent."""

    SCOPES = (
        ("svc-api.all:read svc-api.all:write", "Read and change everything the portal shows"),
        ("svc-api.all:read", "Read only"),
        ("auditor-api.audit:read auditor-api.audit:write", "Audits of an audit firm: read and change"),
        ("auditor-api.audit:read", "Audits of an audit firm: read only"),
    )

    field_order = ("region", "client_id", "client_secret", "scopes")

    client_id = forms.CharField(label="Client ID", max_length=200, validators=[NO_SPACES])
    client_secret = forms.CharField(
        label="Client secret",
        max_length=500,
        validators=[NO_SPACES],
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text="Kept encrypted and never shown again.",
    )
    scopes = forms.ChoiceField(label="What the portal may do", choices=SCOPES)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["region"].label = "Region where the application was created"


class SecretForm(forms.Form):
    """A new secret of the same application."""

    client_secret = forms.CharField(
        label="New client secret",
        max_length=500,
        validators=[NO_SPACES],
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text="Rotate it on the platform first. That ends the old secret's tokens immediately.",
    )


class NamedForm(forms.Form):
    """Typing the tenant's name is the guard against a slip."""

    name = forms.CharField(label="Type the tenant's name to confirm", max_length=120)

    def __init__(self, *args: Any, tenant: Tenant, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tenant = tenant

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name != self.tenant.name:
            raise forms.ValidationError(f"The name does not match. Type “{self.tenant.name}” exactly as it is written here.")
        return name


class DisconnectForm(NamedForm):
    """What becomes of the copy of the platform's data."""

    KEEP, PURGE = "keep", "purge"

    copy = forms.ChoiceField(
        label="Your data in this portal",
        choices=[(KEEP, "Keep it, readable as it is now"), (PURGE, "Remove it on a date")],
        widget=forms.RadioSelect,
        initial=KEEP,
        required=False,
    )
    purge_on = forms.DateField(
        label="Remove it on",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text="Only with “Remove it on a date”. Reconnecting before then keeps everything.",
    )

    grant = forms.CharField(required=False, widget=forms.HiddenInput)

    field_order = ("copy", "purge_on", "name")

    def __init__(self, *args: Any, connection: Connection | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.grant_mark = connection.grant_mark if connection else ""
        self.fields["grant"].initial = self.grant_mark

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if values.get("grant") != self.grant_mark:
            raise ValidationError(
                "The connection has changed since you opened this page. Reload the page before you disconnect."
            )
        day, today = values.get("purge_on"), timezone.localdate()
        if values.get("copy") == self.PURGE and "purge_on" not in self.errors:
            if day is None:
                self.add_error("purge_on", "Choose a date.")
            elif not today <= day <= today + MAX_PURGE:
                self.add_error("purge_on", "Choose a date within the next year.")
        return values

    @property
    def purge_at(self) -> datetime | None:
        """The moment of the purge; None to keep everything."""
        if self.cleaned_data.get("copy") != self.PURGE:
            return None
        day = self.cleaned_data["purge_on"]
        if day == timezone.localdate():
            return timezone.now()
        return timezone.make_aware(datetime.combine(day, time.min))


class DeleteTenantForm(NamedForm):
    """Nothing of the tenant is left afterwards but the record."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = "Name of the tenant to delete"


def validate_identifier(text: str) -> None:
    """Refuse what the platform cannot be asked for."""
    if problem := identifier_problem(text):
        raise ValidationError(f"This is not a valid Trust Center id: {problem}.")


MAX_ADDRESS_LENGTH = 500
"""Of what stands before the id in an address that was pasted."""


class TrustCenterForm(forms.Form):
    """The slugId of the Trust Center: no endpoint tells it (platform-api 1.2). Its whole address will do."""

    slug_id = forms.CharField(
        label="Trust Center id or address",
        max_length=MAX_ID_LENGTH + MAX_ADDRESS_LENGTH,
        help_text="The id is the last part of your Trust Center's address. Paste the whole address if that is easier.",
    )

    def clean_slug_id(self) -> str:
        slug_id = slug_id_in(self.cleaned_data["slug_id"])
        validate_identifier(slug_id)
        return slug_id


def slug_id_in(text: str) -> str:
    """Return the id that a person has entered, or the one at the end of the address that was pasted."""
    if "://" not in text:
        return text
    try:
        parts = [part for part in urlsplit(text).path.split("/") if part]
    except ValueError:
        parts = []
    if not parts:
        raise ValidationError("This address ends without an id. Open your Trust Center and copy the address you see there.")
    return unquote(parts[-1])
