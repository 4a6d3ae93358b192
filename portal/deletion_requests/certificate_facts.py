"""What a certificate says, as pairs of label and words."""

from datetime import date, datetime

from django.utils import timezone
from django.utils.formats import date_format

from portal.deletion_requests.models import DeletionRequest
from portal.deletion_requests.selectors import erasure_of
from portal.lib.bidi import isolated
from portal.users.dates import in_form

NOT_COVERED = (
    "Free text copied from the platform: questionnaires with their questions and answers, and what documents, risks, "
    "issues, and the Trust Center say. "
    "What is written inside files: documents that wait here to be sent or read, and files from experts. "
    "The name of a document that was on its way to the platform; the follow-up check erases it."
)
"""What an erasure does not reach: a certificate claims nothing else."""


def facts_of(row: DeletionRequest) -> list[tuple[str, str]]:
    """Say what was asked, by whom it was checked and sent, and what was answered."""
    facts = [
        ("Received", f"{_day(row.received_on)}, {row.get_intake_display().lower()}"),
        ("Due date", f"{_day(row.deadline_on)} ({row.clock_words})"),
        ("Identity", _identity(row)),
        ("Entered by", f"{isolated(row.requested_by_name)}, {moment(row.requested_at)}"),
        ("Sent by", f"{isolated(row.sent_by_name)}, {moment(row.sent_at)}" if row.sent_at else ""),
        ("The platform's answer", f"Yes, {moment(row.confirmed_at)}" if row.confirmed_at else ""),
        ("Erased here", moment(row.erased_at) if row.erased_at else ""),
        ("On the platform", _on_platform(row)),
        ("Not covered", NOT_COVERED if row.erased_at else ""),
        ("Reason or ticket", row.note),
    ]
    return [(label, words) for label, words in facts if words]


def looks_of(row: DeletionRequest) -> list[tuple[str, str]]:
    """Say what the looks after the erasure have found, and when the next one is."""
    return [
        (moment(look.looked_at), look.description) if look.looked_at else (_day(look.due_at), look.description)
        for look in row.second_looks.all()
    ] or [("Not planned", "This erasure was done before the portal had follow-up checks.")]


def moment(at: datetime) -> str:
    """Write a moment in full, in the reader's zone and form."""
    return date_format(timezone.localtime(at), in_form("j F Y, H:i:s T"))


def _identity(row: DeletionRequest) -> str:
    if row.identity_on is None:
        return row.get_identity_display()
    checked = f"{row.get_identity_display()} by {isolated(row.identity_by_name)}, {_day(row.identity_on)}"
    return f"{checked}: {row.identity_note}" if row.identity_note else checked


def _on_platform(row: DeletionRequest) -> str:
    erasure = erasure_of(row)
    if erasure is None:
        return ""
    if erasure.listed_at:
        return f"Still listed, as of {moment(erasure.listed_at)}"
    return f"No longer listed, as of {moment(erasure.unlisted_at)}" if erasure.unlisted_at else ""


def _day(day: date | datetime) -> str:
    return date_format(timezone.localtime(day) if isinstance(day, datetime) else day, in_form("j F Y"))
