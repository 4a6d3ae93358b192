from typing import Any

from django import forms
from django.core.validators import RegexValidator

from portal.connections.models import Region
from portal.connections.services.platform import regions
from portal.tenants.models import Tenant


class ConnectForm(forms.Form):
    """Where the tenant's account lives; the platform has no way to tell."""

    region = forms.ChoiceField(label="Region of your account on the platform")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["region"].choices = [(region.value, region.label) for region in regions()]  # type: ignore[attr-defined]

    def clean_region(self) -> Region:
        return Region(self.cleaned_data["region"])


class DisconnectForm(forms.Form):
    """Typing the tenant's name is the guard against a slip."""

    name = forms.CharField(label="Type the tenant's name to confirm", max_length=120)

    def __init__(self, *args: Any, tenant: Tenant, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tenant = tenant

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name != self.tenant.name:
            raise forms.ValidationError(f"This is not the name. Type “{self.tenant.name}” as it is written here.")
        return name


class TrustCenterForm(forms.Form):
    """The slugId of the Trust Center: no endpoint tells it (platform-api 1.2)."""

    slug_id = forms.CharField(
        label="Trust Center id",
        max_length=100,
        help_text="The last part of your Trust Center's address. It is also learnt from the first Trust Center event.",
        validators=[RegexValidator(r"\A[A-Za-z0-9][A-Za-z0-9_-]*\Z", "Letters, digits, - and _ only.")],
    )
