"""What the pages of contracts show, over several rows and models."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils import timezone

from portal.accounts.selectors import account_names
from portal.audit.services import history
from portal.comments import activity as comments
from portal.contracts.filters import NOTICE_AHEAD, ContractFilters
from portal.contracts.full_text import Excerpt, excerpts_of
from portal.contracts.models import Contract, Reading, ReadingState, Terms
from portal.lib.platform_choices import Pill

ICONS = {
    **comments.ICONS,
    "contract.upload": ("upload", "good"),
    "contract.repeat_upload": ("copy", "warn"),
    "contract.change_terms": ("pencil", "muted"),
    "contract.hand_in": ("file-up", "muted"),
    "contract.remove_text": ("eraser", "warn"),
    "contract.ask_removal": ("trash-2", "warn"),
    "contract.remove": ("trash-2", "bad"),
    "contract.refuse_removal": ("circle-alert", "bad"),
}


@dataclass(frozen=True)
class ContractRow:
    """A contract with its customer, its dates, and where its text has what was searched for."""

    contract: Contract
    customer: str
    terms: Terms | None
    pills: Sequence[Pill]
    excerpt: Excerpt | None = None


def contract_rows(contracts: Sequence[Contract], filters: ContractFilters) -> list[ContractRow]:
    names = account_names(contract.account_id for contract in contracts)
    noted = Terms.objects.filter(contract__in=[contract.pk for contract in contracts]).select_related("owner").defer("notes")
    terms = {each.contract_id: each for each in noted}
    excerpts = excerpts_of(contracts, filters.q) if filters.is_in_text else {}
    return [
        ContractRow(
            contract,
            names.get(contract.account_id, ""),
            terms.get(contract.pk),
            pills_of(terms.get(contract.pk)),
            excerpts.get(contract.pk),
        )
        for contract in contracts
    ]


def pills_of(terms: Terms | None) -> list[Pill]:
    """Say what the dates of a contract ask for now."""
    if terms is None:
        return []
    today, pills = timezone.localdate(), list[Pill]()
    if terms.turns_on and terms.turns_on < today and not terms.renews_itself:
        return [(f"Ended {_distance(today, terms.turns_on)} ago", "muted")]
    if terms.notice_on and not terms.is_notice_open:
        pills.append(("Notice decided", "muted"))
    elif terms.notice_on and today <= terms.notice_on <= today + NOTICE_AHEAD:
        pills.append((f"Notice due {_ahead(today, terms.notice_on)}", "bad" if terms.notice_on == today else "warn"))
    elif terms.notice_on and terms.notice_on < today and terms.turns_on:
        pills.append(("Too late for notice", "muted"))
    if terms.turns_on and today <= terms.turns_on <= today + 3 * NOTICE_AHEAD:
        verb = "Renews" if terms.renews_itself else "Ends"
        is_near = terms.turns_on <= today + NOTICE_AHEAD
        pills.append((f"{verb} {_ahead(today, terms.turns_on)}", "warn" if is_near else "info"))
    return pills


def _ahead(today: date, day: date) -> str:
    return {0: "today", 1: "tomorrow"}.get((day - today).days) or f"in {_distance(today, day)}"


def _distance(today: date, day: date) -> str:
    days = abs((day - today).days)
    return f"{days:,} day{'' if days == 1 else 's'}"


def terms_facts(terms: Terms) -> list[tuple[str, Any]]:
    """The own fields of a contract, as its page shows them."""
    renewal = "no"
    if terms.renews_itself:
        renewal = f"for {terms.renewal_months} month{'' if terms.renewal_months == 1 else 's'} each time"
    other = Contract.objects.filter(platform_id=terms.governed_by).first() if terms.governed_by else None
    governed = [str(other) if other else "", terms.governed_by_words]
    return [
        ("Ends", terms.ends_on),
        ("Renewal", terms.renews_on),
        ("Renews automatically", renewal),
        ("Next renewal" if terms.renews_itself else "Next end", terms.turns_on if terms.renews_itself else None),
        ("Notice period", terms.notice_words),
        ("Last day to give notice", terms.notice_on),
        ("Governing DPA", " · ".join(filter(None, governed))),
    ]


def reading_words(contract: Contract, reading: Reading | None) -> str:
    """Say in words how it stands with the text of a contract."""
    if reading is None or reading.state == ReadingState.REMOVED:
        return "The text was removed." if reading else "No readable PDF was uploaded here."
    match reading.state:
        case ReadingState.WAITING:
            return "Extracting text from the document."
        case ReadingState.NONE:
            words = f"No text found on {_pages(reading.page_count)}; the document was probably scanned."
        case ReadingState.FAILED:
            words = f"We couldn't read the document. {reading.description}"
        case _:
            return f"Text extracted from {_pages(reading.page_count)}. {reading.description}".strip()
    return f"{words} The earlier text is kept." if contract.read_at else words


def _pages(number: int) -> str:
    return f"{number:,} page{'' if number == 1 else 's'}"


def events_of(contract: Contract) -> list[dict[str, Any]]:
    """What was done here about a contract, newest first."""
    events = []
    for entry in history("contract", contract.platform_id):
        icon, tone = ICONS.get(entry.action, ("circle-dot", "muted"))
        events.append({"title": f"{entry.who}: {entry.summary}", "text": "", "at": entry.at, "icon": icon, "tone": tone})
    return events
