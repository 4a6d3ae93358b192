from typing import Any

from django import forms

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
