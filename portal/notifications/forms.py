from typing import Any

from django import forms
from django.core.validators import RegexValidator

from portal.notifications.http import MAX_URL
from portal.notifications.kinds import Channel
from portal.notifications.models import TeamChannel

WHERE = {
    Channel.SLACK: "In Slack, open Apps > Incoming Webhooks > Add to Slack and pick a channel.",
    Channel.TEAMS: "In Teams, open the channel's menu > Workflows > Send webhook alerts to a channel, and copy the address.",
    Channel.WEBHOOK: "An https:// address of your own system. Each notification is a signed POST request (Standard Webhooks).",
}
ADVICE = {
    Channel.SLACK: "Enter the address that Slack shows: it starts with https://hooks.slack.com/.",
    Channel.TEAMS: "Enter the address that Teams shows: it starts with https:// and leads to Microsoft.",
    Channel.WEBHOOK: "Enter an address that starts with https://.",
}
NAMES = {Channel.SLACK: "#trust-desk", Channel.TEAMS: "Trust desk", Channel.WEBHOOK: "Ticket system"}


SLACK_ID = RegexValidator(r"^[A-Z0-9]{6,40}\Z", "Enter the channel's ID, such as C0123456789.")
BOT_TOKEN = RegexValidator(r"^xoxb-[A-Za-z0-9-]{10,}\Z", "Enter the token that starts with xoxb-.")
SIGNING_SECRET = RegexValidator(r"^[0-9a-f]{32}\Z", "Enter the signing secret: 32 letters and digits.")


class TeamChannelForm(forms.Form):
    """Where a team reads. The address is never shown again: with it anybody could post there."""

    name = forms.CharField(label="Name", max_length=80, help_text="What your team calls it.")
    url = forms.CharField(
        label="Address", max_length=MAX_URL, widget=forms.TextInput({"autocomplete": "off", "spellcheck": "false"})
    )

    def __init__(self, *args: Any, kind: Channel, row: TeamChannel | None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.kind, self.advice = kind, ADVICE[kind]
        self.fields["name"].widget.attrs["placeholder"] = NAMES[kind]
        self.fields["url"].help_text = WHERE[kind]
        if row:
            self.fields["name"].initial = row.name
            self.fields["url"].required = False
            self.fields["url"].help_text = f"Leave empty to keep the current address at {row.host}. {WHERE[kind]}"


class SlackAppForm(forms.Form):
    """The app that a tenant has created in its workspace. Token and secret are never shown again."""

    name = forms.CharField(label="Name", max_length=80, help_text="What your team calls the channel.")
    conversation = forms.CharField(
        label="Channel ID",
        validators=[SLACK_ID],
        help_text="In Slack, open the channel's details: the ID is at the end. Invite the app there with /invite.",
    )
    token = forms.CharField(
        label="Bot token", max_length=300, validators=[BOT_TOKEN], help_text="On the app's OAuth & Permissions page."
    )
    signing_secret = forms.CharField(
        label="Signing secret", validators=[SIGNING_SECRET], help_text="On the app's Basic Information page."
    )

    def __init__(self, *args: Any, row: TeamChannel | None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["name"].widget.attrs["placeholder"] = NAMES[Channel.SLACK]
        self.fields["conversation"].widget.attrs["placeholder"] = "C0123456789"
        for name in ("token", "signing_secret"):
            self.fields[name].widget.attrs.update(autocomplete="off", spellcheck="false")
        if row:
            self.fields["name"].initial = row.name
        if row and row.has_app:
            self.fields["conversation"].initial = row.conversation
            for name in ("token", "signing_secret"):
                self.fields[name].required = False
                self.fields[name].help_text = f"Leave empty to keep the current one. {self.fields[name].help_text}"
