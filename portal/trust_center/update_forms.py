from typing import Any

from django import forms

from portal.lib.storable import storable_text
from portal.trust_center.filters import subscriber_groups
from portal.trust_center.forms import MAX_TEXT_LENGTH, MAX_TITLE_LENGTH
from portal.trust_center.models import CATEGORIES, Publication, Subscriber, SubscriberGroup, Target, Update
from portal.trust_center.models.updates import category_label
from portal.trust_center.services import Audience, UpdateText, updates, version_of_choice
from portal.ui.platform_forms import PlatformForm

PUBLIC, VIEWERS = "public", "viewers"
MAX_GROUPS, MAX_RECIPIENTS = 10, 5000
"""More the platform does not take at once (platform-api 4.5.9)."""
READERS = [(PUBLIC, "Public: everyone who opens the Trust Center"), (VIEWERS, "Viewers only: everyone you gave access")]


class UpdateForm(PlatformForm):
    """What an update says."""

    field_of = {"title": "title", "description": "text", "category": "category", "visibilityType": "readers"}

    title = forms.CharField(label="Title", max_length=MAX_TITLE_LENGTH, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    text = forms.CharField(label="Text", max_length=MAX_TEXT_LENGTH, widget=forms.Textarea(attrs={"rows": 8}))
    category = forms.ChoiceField(label="Category")
    readers = forms.ChoiceField(label="Who sees it", choices=READERS, widget=forms.RadioSelect)
    seen = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)
    """Stands for what the update said when the form was opened."""

    def __init__(self, data: Any = None, *, update: Update | Publication | None = None) -> None:
        said = text_of(update) if update else None
        initial = {
            "title": said.title if said else "",
            "text": said.description if said else "",
            "category": said.category if said else "GENERAL",
            "readers": PUBLIC if said is None or said.is_public else VIEWERS,
        }
        self.version = said.version if said else ""
        super().__init__(data, initial=initial | {"seen": self.version})
        own = {said.category: category_label(said.category)} if said and said.category else {}
        self.fields["category"].choices = [*(own | CATEGORIES).items()]  # type: ignore[attr-defined]

    @property
    def update_text(self) -> UpdateText:
        said = self.cleaned_data
        return UpdateText(
            title=storable_text(said["title"]),
            description=storable_text(said["text"]),
            category=said["category"],
            is_public=said["readers"] == PUBLIC,
        )


def text_of(update: Update | Publication) -> UpdateText:
    """Return all that an update says, as services take it."""
    if isinstance(update, Update):
        return updates.text_of(update)
    return UpdateText(title=update.title, description=update.description, category=update.category, is_public=update.is_public)


class AudienceForm(PlatformForm):
    """Who is told of an update by email."""

    field_of = {"notificationTarget": "target", "subscriberGroupIds": "groups"}

    target = forms.ChoiceField(label="Who gets an email", choices=Target.choices, widget=forms.RadioSelect)
    groups = forms.MultipleChoiceField(
        label="Groups", required=False, widget=forms.CheckboxSelectMultiple, help_text="Only with “Groups of subscribers”."
    )

    def __init__(self, data: Any = None, *, again: Publication | None = None, **options: Any) -> None:
        super().__init__(data, **options)
        told = {"target": again.target, "groups": list(again.groups)} if again else {"target": Target.NONE}
        self.initial = {**self.initial, **told}
        self.fields["groups"].choices = [*subscriber_groups().items()]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or self.cleaned_data
        if said.get("target") != Target.GROUPS or "groups" in self.errors:
            pass
        elif not said.get("groups"):
            self.add_error("groups", "Choose at least one group.")
        elif len(said["groups"]) > MAX_GROUPS:
            self.add_error("groups", f"Choose at most {MAX_GROUPS} groups.")
        if not self.errors and self.audience.subscribers().count() > MAX_RECIPIENTS:
            self.add_error("target", f"The platform sends an update to at most {MAX_RECIPIENTS:,} people.")
        return said

    @property
    def audience(self) -> Audience:
        target = Target(self.cleaned_data["target"])
        return Audience(target=target, group_ids=self.cleaned_data["groups"] if target == Target.GROUPS else ())


class NewUpdateForm(AudienceForm, UpdateForm):
    """A new update, and who is told of it by email."""

    field_of = {**UpdateForm.field_of, **AudienceForm.field_of}

    def __init__(self, data: Any = None, *, again: Publication | None = None) -> None:
        super().__init__(data, again=again, update=again)


class TellForm(AudienceForm):
    """Who is told of an update that is on the Trust Center."""

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        self.fields["target"].choices = [each for each in Target.choices if each[0] != Target.NONE]  # type: ignore[attr-defined]
        self.initial["target"] = Target.ALL


class GroupsForm(PlatformForm):
    """Which groups a subscriber is in."""

    field_of = {"groupIds": "groups"}

    groups = forms.MultipleChoiceField(label="Groups", required=False, widget=forms.CheckboxSelectMultiple)
    seen = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)
    """Stands for the groups that were chosen when the form was opened."""

    def __init__(self, data: Any = None, *, subscriber: Subscriber | None = None) -> None:
        inside = list(subscriber.groups.values_list("group_id", flat=True)) if subscriber else []
        self.version = version_of_choice(inside) if subscriber else ""
        super().__init__(data, initial={"groups": inside, "seen": self.version})
        # Those it is in stand there, however many groups come before them.
        own = SubscriberGroup.objects.present().filter(platform_id__in=inside).only("platform_id", "name")
        choices = {row.platform_id: str(row) for row in own} | subscriber_groups()
        self.fields["groups"].choices = [*choices.items()]  # type: ignore[attr-defined]

    @property
    def group_ids(self) -> list[str]:
        chosen: list[str] = self.cleaned_data["groups"]
        return chosen


class SubscriberForm(GroupsForm):
    """A new subscriber."""

    field_of = {**GroupsForm.field_of, "email": "email"}

    email = forms.EmailField(
        label="Email",
        max_length=320,
        help_text="The platform asks them to confirm the address.",
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    field_order = ("email", "groups")

    @property
    def address(self) -> str:
        return storable_text(self.cleaned_data["email"])
