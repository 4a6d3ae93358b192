from typing import Any

from django import forms

from portal.lib.storable import storable_text
from portal.lib.web_addresses import web_address
from portal.platform_api.models.trust_center import TrustCenter as RemoteCenter
from portal.trust_center.forms import MAX_TEXT_LENGTH, MAX_TITLE_LENGTH
from portal.trust_center.models.lists import MAX_URL_LENGTH
from portal.trust_center.services import TEXTS, settings_version, texts_of
from portal.ui.platform_forms import PlatformForm


class CenterSettingsForm(PlatformForm):
    """What is set for the Trust Center. It carries what was set when the form was opened."""

    field_of = {
        "title": "title",
        "customHeading": "custom_heading",
        "companyDescription": "company_description",
        "contactEmail": "contact_email",
        "privacyPolicy": "privacy_policy",
        "isPublic": "is_public",
    }

    title = forms.CharField(label="Title", required=False, max_length=MAX_TITLE_LENGTH)
    custom_heading = forms.CharField(
        label="Heading",
        required=False,
        max_length=MAX_TITLE_LENGTH,
        help_text="Shown at the top instead of the platform's default.",
    )
    company_description = forms.CharField(
        label="About your company", required=False, max_length=MAX_TEXT_LENGTH, widget=forms.Textarea(attrs={"rows": 5})
    )
    contact_email = forms.EmailField(label="Contact email", required=False, help_text="Visitors write to this address.")
    privacy_policy = forms.CharField(
        label="Privacy policy", required=False, max_length=MAX_URL_LENGTH, help_text="The web address of your privacy policy."
    )
    is_public = forms.BooleanField(label="Everyone can open the Trust Center", required=False)
    seen = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, found: RemoteCenter) -> None:
        now: dict[str, Any] = {**texts_of(found), "is_public": bool(found.is_public), "seen": settings_version(found)}
        super().__init__(data, initial=now)

    def clean_privacy_policy(self) -> str:
        address = str(self.cleaned_data["privacy_policy"])
        if address and address != self.initial["privacy_policy"] and not web_address(address):
            raise forms.ValidationError("Enter an address that begins with https://.")
        return address

    @property
    def texts(self) -> dict[str, str]:
        return {name: storable_text(self.cleaned_data[name]) for name in TEXTS}
