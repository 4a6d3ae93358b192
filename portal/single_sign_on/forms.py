from typing import Any

from django import forms

from portal.single_sign_on.models import DEFAULT_ROLES, IdentityProvider, validate_domain
from portal.tenants.models import Role
from portal.users.forms import ZoneField


class CompanySignInForm(forms.Form):
    """Whose company's sign-in is asked for."""

    email = forms.EmailField(label="Work email", max_length=254, widget=forms.EmailInput({"autocomplete": "email"}))
    timezone = ZoneField()


class DomainForm(forms.Form):
    """A mail domain of the tenant."""

    domain = forms.CharField(
        label="Domain", max_length=253, help_text="The part after the @ in your company's email addresses."
    )

    def clean_domain(self) -> str:
        name: str = self.cleaned_data["domain"].strip().lower().removeprefix("@").rstrip(".")
        validate_domain(name)
        return name


class RoleField(forms.TypedChoiceField):
    """What new members become."""

    def __init__(self) -> None:
        choices = [(role.value, f"{role.label}: {role.meaning}") for role in DEFAULT_ROLES]
        super().__init__(label="New members become", choices=choices, coerce=lambda value: Role(int(value)))


class SamlForm(forms.Form):
    """How the tenant's SAML provider is reached."""

    metadata = forms.CharField(
        label="Metadata",
        max_length=200_000,
        help_text="The https:// address of your identity provider's metadata, or the XML itself.",
        widget=forms.Textarea({"rows": 3}),
    )
    default_role = RoleField()

    def __init__(self, *args: Any, provider: IdentityProvider | None, **kwargs: Any) -> None:
        if provider and provider.is_saml:
            kwargs["initial"] = {"default_role": provider.default_role}
        super().__init__(*args, **kwargs)
        # On the page of the other form, which asks for a role too.
        self.auto_id = "id_saml_%s"


class ProviderForm(forms.Form):
    """How the tenant's OpenID Connect provider is reached."""

    issuer = forms.CharField(
        label="Issuer",
        max_length=500,
        help_text="An address such as https://login.example.com. The portal reads the rest from it.",
    )
    client_id = forms.CharField(label="Client ID", max_length=191)
    client_secret = forms.CharField(
        label="Client secret",
        max_length=500,
        required=False,
        strip=True,
        widget=forms.PasswordInput({"autocomplete": "off"}),
        help_text="Kept encrypted and never shown again.",
    )
    default_role = RoleField()

    def __init__(self, *args: Any, provider: IdentityProvider | None, **kwargs: Any) -> None:
        if provider and not provider.is_saml:
            names = ("issuer", "client_id", "default_role")
            kwargs["initial"] = {name: getattr(provider, name) for name in names}
        super().__init__(*args, **kwargs)
        if provider and provider.client_secret:
            self.fields["client_secret"].help_text = "Leave empty to keep the saved one."

    def clean_issuer(self) -> str:
        return str(self.cleaned_data["issuer"]).strip()
