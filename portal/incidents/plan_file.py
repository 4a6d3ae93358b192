"""The plan of an incident as a PDF, for when there is no screen."""

from collections.abc import Sequence

from django.utils import timezone

from portal.incidents.models import Incident
from portal.incidents.selectors.pages import noticed_elsewhere
from portal.incidents.selectors.rows import RowShown
from portal.lib.bidi import isolated
from portal.lib.pdf import QUIET, pdf_document, remarks, table, write
from portal.tenants.models import Tenant
from portal.ui.times import exact_words

MAX_CUSTOMERS = 300
"""Customers in a file. A person reads it, and each of them costs some milliseconds; the CSV file has them all."""


def write_plan(incident: Incident, rows: Sequence[RowShown], *, number: int, people: str, tenant: Tenant) -> bytes:
    """Return the plan as a PDF. `number`: how many customers there are in all."""
    with pdf_document(title=f"Incident plan: {incident}", foot=f"Incident {incident.pk}") as page:
        write(page, isolated(incident.name), size=18, is_bold=True)
        write(page, tenant.name, size=12)
        write(page, f"Noticed {exact_words(incident.noticed_at)}", color=QUIET)
        table(page, "The incident", _facts(incident, people))
        for place, row in enumerate(rows, start=1):
            table(page, f"{place}. {isolated(row.notice.customer)}", _customer(row))
        remarks(page, _remarks(len(rows), number))
        return bytes(page.output())


def _remarks(written: int, number: int) -> list[str]:
    counted = (
        "If there are several promises, the strictest counts. Hours run from the exact time; days start the day after and end "
        "with the last day (Regulation 1182/71 Art. 3), in the promise's time zone."
    )
    left_out = f"These are the first {written} of {number} customers; the CSV file has all of them."
    when = f"Written on {exact_words(timezone.now())}. A question mark in a name may stand for a character that the font lacks."
    return [counted, *([left_out] if number > written else []), when]


def _facts(incident: Incident, people: str) -> list[tuple[str, str]]:
    whom = "all customers" if incident.concerns_all else f"{len(incident.account_ids)} chosen customers"
    facts = [
        ("Noticed, other zones", noticed_elsewhere(incident, [])),
        ("Data", incident.kinds_words),
        ("Affects", whom),
        ("Reminders go to", people),
        ("Plan created", exact_words(incident.planned_at)),
        ("Notes", incident.notes),
    ]
    return [(label, words) for label, words in facts if words]


def _customer(row: RowShown) -> list[tuple[str, str]]:
    others = "; ".join(f"{each.promise} ({each.place}{'' if each.applies else ', other data'})" for each in row.others)
    facts = [
        ("Deadline", row.until_words),
        ("Promise", row.promise_words),
        ("Also promised", others),
        ("Who to notify", row.whom),
        ("State", row.state_words),
    ]
    return [(label, words) for label, words in facts if words]
