"""The change of a signing secret as steps that a person follows."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format

from portal.inbox.models import Endpoint
from portal.ui.times import relative_words
from portal.users.dates import in_form


@dataclass(frozen=True)
class Rotation:
    """One address whose secret is being changed: until the old one has ended, both are good."""

    endpoint: Endpoint

    @property
    def is_confirmed(self) -> bool:
        return self.endpoint.confirmed_at is not None

    @property
    def steps(self) -> list[dict[str, Any]]:
        now, until = timezone.now(), timezone.localtime(self.endpoint.previous_until)
        entered, seen = self.endpoint.secret_entered_at, self.endpoint.confirmed_at
        return [
            {"state": "done", "title": "The new secret is entered", "detail": _ago(entered, now)},
            {"state": "done", "title": "A delivery signed with the new secret has arrived", "detail": _ago(seen, now)}
            if seen
            else {
                "state": "now",
                "title": "Waiting for the first delivery signed with the new secret",
                "detail": "Have the platform use it, then send an example from its dashboard to complete this step.",
            },
            {
                "state": "now" if seen else "todo",
                "title": "The old secret expires",
                "detail": f"Automatically on {date_format(until, in_form('j F Y, H:i'))}"
                + (", or revoke it now: nothing needs it anymore." if seen else ". Until then, both are accepted."),
            },
        ]


def rotations(endpoints: list[Endpoint]) -> list[Rotation]:
    """Return the changes that are under way."""
    now = timezone.now()
    return [Rotation(endpoint) for endpoint in endpoints if endpoint.accepts_previous(now)]


def _ago(at: datetime | None, now: datetime) -> str:
    words = relative_words(at, now=now) if at else ""
    return words[:1].upper() + words[1:]


def valid_secrets(endpoint: Endpoint) -> str:
    """Say in words which secrets an address accepts now."""
    if not endpoint.has_secret:
        return "No secret yet"
    return "Two secrets valid" if endpoint.accepts_previous(timezone.now()) else "Secret entered"
