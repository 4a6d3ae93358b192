"""What is asked before viewers are changed. Each form knows what will happen and hands over the change."""

from collections.abc import Iterable
from datetime import datetime, time, timedelta
from typing import Any

from django import forms
from django.utils import timezone

from portal.access_requests.documents import choosable_resources, resource_titles
from portal.access_requests.expiry import ExpiryForm, choices
from portal.access_requests.models import Viewer
from portal.access_requests.viewer_changes import ViewerChange, ViewerVerb
from portal.accounts.models import Account
from portal.accounts.selectors import accounts_by_domain

MAX_OFFERED = 500
KEEP = "keep"
"""What a review does besides the verbs: nothing is sent anywhere."""


class ExtendForm(ExpiryForm):
    verb = ViewerVerb.EXTEND
    button = "Change expiry"
    happens = "Access expires on this date, even if it ran longer before."

    def change(self) -> ViewerChange:
        return ViewerChange(verb=self.verb, expires_at=self.expires_at)


class ShrinkForm(forms.Form):
    verb = ViewerVerb.SHRINK
    button = "Reduce access"
    happens = "They immediately lose access to every other document. No one gets a document they couldn't open before."

    resources = forms.MultipleChoiceField(
        label="Documents to keep",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one document, or revoke access."},
    )

    def __init__(self, data: Any = None, *, viewers: Iterable[Viewer] = ()) -> None:
        super().__init__(data)
        self.fields["resources"].choices = open_documents(viewers)  # type: ignore[attr-defined]

    def change(self) -> ViewerChange:
        chosen = self.cleaned_data["resources"]
        titles = resource_titles(chosen)
        return ViewerChange(verb=self.verb, resource_ids=chosen, resources=[titles[each] for each in chosen])


def open_documents(viewers: Iterable[Viewer]) -> list[tuple[str, str]]:
    """The documents that are open to at least one of these people."""
    rows = list(viewers)
    named = {each for row in rows for each in row.resource_ids or ()}
    if not rows or any(row.resource_ids is None for row in rows):
        return choosable_resources(named)
    return sorted(resource_titles(named).items(), key=lambda pair: pair[1].casefold())


class RevokeForm(forms.Form):
    verb = ViewerVerb.REVOKE
    button = "Revoke access"
    happens = (
        "They lose access immediately. You can't undo this; they'd have to request access again. "
        "You'll still find them under Ended, with what they could see and when access ended."
    )

    def change(self) -> ViewerChange:
        return ViewerChange(verb=self.verb)


class RemindForm(forms.Form):
    verb = ViewerVerb.REMIND
    button = "Resend invitation"
    happens = (
        "The platform emails each of them their invitation again. We skip anyone who was sent one within the last day or "
        "whose access has ended."
    )

    def change(self) -> ViewerChange:
        return ViewerChange(verb=self.verb)


class LinkForm(forms.Form):
    verb = ViewerVerb.LINK
    button = "Link to account"
    happens = "The platform lists them under this account. Their access doesn't change."

    account = forms.CharField(
        label="Account",
        required=False,
        max_length=300,
        help_text="Enter the account name, or leave empty to unlink.",
        widget=forms.TextInput(attrs={"list": "account-names", "autocomplete": "off"}),
    )

    def __init__(self, data: Any = None, *, viewers: Iterable[Viewer] = ()) -> None:
        domains = {viewer.domain for viewer in viewers}
        found = accounts_by_domain(domains)
        # Offered first where all of them write from its domain.
        fitting = [str(found[domain]) for domain in domains if domain in found]
        super().__init__(data, initial={"account": fitting[0]} if len(fitting) == len(domains) == 1 else None)
        rows = Account.objects.present().order_by("name", "id").values_list("name", flat=True)
        self.offers = list(dict.fromkeys([*fitting, *rows[:MAX_OFFERED]]))

    def clean_account(self) -> Account | None:
        name: str = self.cleaned_data["account"]
        if not name:
            return None
        found = list(Account.objects.present().filter(name__iexact=name).defer("payload", "search")[:2])
        if not found:
            raise forms.ValidationError("No account has this name. Enter it as it appears on the platform.")
        if len(found) > 1:
            raise forms.ValidationError(
                "Several accounts have this name. Link them on the platform, where you can tell them apart."
            )
        return found[0]

    def change(self) -> ViewerChange:
        account: Account | None = self.cleaned_data["account"]
        if account is None:
            return ViewerChange(verb=self.verb)
        return ViewerChange(verb=self.verb, account_id=account.platform_id, account_name=str(account))


class KeepForm(forms.Form):
    verb = KEEP
    button = "Keep access"
    happens = "Nothing changes on the platform. The review leaves them out until the date you choose."

    months = forms.ChoiceField(
        label="Review again",
        choices=choices([("1", "In one month"), ("3", "In three months"), ("6", "In six months"), ("12", "In one year")]),
        initial="6",
    )
    word = forms.CharField(
        label="Reason to keep",
        max_length=300,
        error_messages={"required": "Enter a short reason. The next review shows it."},
    )

    @property
    def until(self) -> datetime:
        day = timezone.localdate() + timedelta(days=round(int(self.cleaned_data["months"]) * 365 / 12))
        return timezone.make_aware(datetime.combine(day, time.min))


type ViewerForm = ExtendForm | ShrinkForm | RevokeForm | RemindForm | LinkForm | KeepForm

FORMS: dict[str, type[ViewerForm]] = {
    form.verb: form for form in (ExtendForm, ShrinkForm, RevokeForm, RemindForm, LinkForm, KeepForm)
}
LABELS = {
    ViewerVerb.EXTEND.value: "Change expiry…",
    ViewerVerb.SHRINK.value: "Reduce access…",
    ViewerVerb.REMIND.value: "Remind…",
    ViewerVerb.LINK.value: "Link to account…",
    ViewerVerb.REVOKE.value: "Revoke…",
    KEEP: "Keep…",
}
TITLES = {**dict(ViewerVerb.choices), KEEP: "Keep access"}


def form_for(verb: str, data: Any, viewers: Iterable[Viewer]) -> ViewerForm:
    """Make the form of a verb; some offer what fits these people."""
    match verb:
        case ViewerVerb.SHRINK:
            return ShrinkForm(data, viewers=viewers)
        case ViewerVerb.LINK:
            return LinkForm(data, viewers=viewers)
    return FORMS[verb](data)
