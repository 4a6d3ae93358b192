"""Who is to be corrected after a question was settled, with a note for each that can be sent as it is."""

from dataclasses import dataclass

from portal.library.models import Entry
from portal.questionnaires.account_names import NamedAccount, named_accounts
from portal.questionnaires.models import Correction, Drift


@dataclass(frozen=True)
class CorrectionLine:
    """A customer to correct, as the page of the question shows them."""

    correction: Correction
    account: NamedAccount | None
    note: str


@dataclass(frozen=True)
class Corrections:
    """The library entry of a settled question, and the customers who were told otherwise."""

    entry: Entry | None
    lines: list[CorrectionLine]


def corrections_of(drift: Drift, *, slug: str) -> Corrections:
    """Gather what the page of a question says about corrections; those that are still open come first."""
    entry = Entry.objects.filter(pk=drift.entry_id).first() if drift.entry_id else None
    rows = drift.corrections.select_related("response__questionnaire", "decided_by", "owner")
    found = sorted(rows.defer("response__payload", "response__questionnaire__payload"), key=lambda row: row.state != "open")
    accounts = named_accounts((row.account_id for row in found), slug=slug)
    return Corrections(entry, [CorrectionLine(row, accounts.get(row.account_id), note_for(row, entry)) for row in found])


def note_for(correction: Correction, entry: Entry | None) -> str:
    """Write the note to a customer; nothing without the answer that is true."""
    if entry is None:
        return ""
    told = correction.response
    return (
        f"Hello,\n\nIn “{told.questionnaire}” we answered the question below in a way that needs correcting.\n\n"
        f"Question: {told.question}\n\nOur earlier answer: {told.answer_text}\n\nThe correct answer: {entry.answer}\n\n"
        "Please replace the earlier answer in your records. We apologize for the inconvenience."
    )
