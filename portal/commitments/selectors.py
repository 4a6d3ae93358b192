"""What the pages of the room show, over several rows and rooms."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count
from django.utils import timezone

from portal.accounts.merged_accounts import customers_of, ids_of_customer
from portal.accounts.models import Account
from portal.accounts.selectors import accounts_by_id
from portal.audit.services import history
from portal.commitments.comparison import Comparison, compare, strictest
from portal.commitments.models import (
    COMPARED,
    TONES,
    Commitment,
    Contradiction,
    Standard,
    Suggestion,
    Term,
    Verdict,
)
from portal.commitments.unscanned_texts import unread
from portal.contracts.models import ContractPage
from portal.lib.unnamed import named
from portal.page_refresh.services import cached_by_version

AREA = "commitments"
ICONS = {
    "commitment.add": ("plus", "good"),
    "commitment.accept": ("check", "good"),
    "commitment.change": ("pencil", "info"),
    "commitment.end": ("circle-slash", "warn"),
    "commitment.reopen": ("rotate-ccw", "info"),
}
FACTS = {"term": "Term", "promise": "Promise", "page": "Page"}


def open_suggestions() -> int:
    """Count the suggestions that wait for a person. Kept: the navigation of every page asks."""
    return cached_by_version(AREA, "open-suggestions", _open_suggestions)


def _open_suggestions() -> int:
    return Suggestion.objects.open().filter(contract__gone_at=None).count()


def has_unread_texts() -> bool:
    """Say whether texts wait to be looked through. Kept for a minute: to find none, every contract has to be asked."""
    return cached_by_version(AREA, "unread-texts", lambda: unread(timezone.now()).exists())


def open_contradictions() -> int:
    return cached_by_version(AREA, "open-contradictions", lambda: Contradiction.objects.open().count())


def deviations_by_term() -> dict[str, int]:
    """Count the promises in force that deviate. Kept: a count reads them all."""
    return cached_by_version(AREA, "deviations-by-term", _deviations_by_term)


def _deviations_by_term() -> dict[str, int]:
    rows = Commitment.objects.deviating().order_by().values_list("term")
    return dict(rows.annotate(number=Count("pk")))


def standards() -> dict[str, Standard]:
    """Return our standard of every term that has one."""
    return {standard.term: standard for standard in Standard.objects.all()}


@dataclass(frozen=True)
class Row:
    """A commitment as lists show it: with the customer's name of today, and why it deviates."""

    commitment: Commitment
    account: Account | None
    comparison: Comparison
    standard: Standard | None

    @property
    def customer(self) -> str:
        return str(self.account or named(self.commitment.account_name))

    @property
    def tone(self) -> str:
        return TONES[self.comparison.verdict]


def rows_of(commitments: Sequence[Commitment]) -> list[Row]:
    """Give commitments as the register shows them; a handful of queries for all."""
    accounts, ours = accounts_by_id(each.account_id for each in commitments), standards()
    return [_row(each, accounts.get(each.account_id), ours) for each in commitments]


def _row(commitment: Commitment, account: Account | None, ours: dict[str, Standard]) -> Row:
    standard = ours.get(commitment.term)
    return Row(commitment, account, compare(commitment.term, commitment, standard), standard)


@dataclass(frozen=True)
class Cell:
    """What one customer was promised of one term: the strictest promise, and how many there are."""

    term: str
    label: str
    strictest: Commitment | None = None
    number: int = 0
    verdict: Verdict = Verdict.NONE

    @property
    def tone(self) -> str:
        return TONES[self.verdict]

    @property
    def is_deviation(self) -> bool:
        return self.verdict == Verdict.HARDER

    @property
    def is_compared(self) -> bool:
        return self.verdict in COMPARED

    @property
    def says_verdict(self) -> bool:
        return self.verdict not in (Verdict.NONE, Verdict.EQUAL)


@dataclass(frozen=True)
class MatrixRow:
    """One customer with a cell for each term."""

    account: Account
    cells: list[Cell]

    @property
    def deviations(self) -> int:
        return sum(cell.is_deviation for cell in self.cells)

    @property
    def is_empty(self) -> bool:
        return not any(cell.number for cell in self.cells)

    @property
    def is_compared(self) -> bool:
        """Say whether any promise could be compared: else nobody knows whether one is stricter."""
        return any(cell.is_compared for cell in self.cells)


def matrix_rows(accounts: Sequence[Account]) -> list[MatrixRow]:
    """Give customers with what was promised to them; one query for all promises of a page."""
    promised: dict[tuple[str, str], list[Commitment]] = defaultdict(list)
    wholes = customers_of(each.platform_id for each in accounts)
    # Of a customer whose accounts were merged here, the promises to all of them.
    customers = {account_id: main for main, whole in wholes.items() for account_id in whole.account_ids}
    rows = Commitment.objects.in_force().filter(account_id__in=customers)
    for commitment in rows.order_by("id").defer("search", "quote", "notify"):
        promised[customers[commitment.account_id], commitment.term].append(commitment)
    return [
        MatrixRow(account, [_cell(term, promised.get((account.platform_id, term), [])) for term in Term])
        for account in accounts
    ]


def _cell(term: Term, commitments: Sequence[Commitment]) -> Cell:
    # What deviates comes first: a promise of words beside it must not hide it.
    deviating = [each for each in commitments if each.comparison == Verdict.HARDER]
    hardest = strictest(term, deviating or commitments)
    verdict = Verdict(hardest.comparison) if hardest else Verdict.NONE
    return Cell(str(term.value), str(term.label), hardest, len(commitments), verdict)


def has_page(commitment: Commitment) -> bool:
    """Say whether the text of the page is here, so that a link can lead to it."""
    if not (commitment.contract_id and commitment.page):
        return False
    return ContractPage.objects.filter(contract_id=commitment.contract_id, number=commitment.page).exists()


def siblings_of(commitment: Commitment) -> list[Commitment]:
    """Other promises of the same term to the same customer, in force."""
    rows = Commitment.objects.in_force().filter(account_id__in=ids_of_customer(commitment.account_id)).of_term(commitment.term)
    return list(rows.exclude(pk=commitment.pk).order_by("id")[:20])


def events_of(commitment: Commitment) -> list[dict[str, Any]]:
    """What was done with a promise, newest first."""
    events = []
    for entry in history("commitment", str(commitment.pk)):
        icon, tone = ICONS.get(entry.action, ("circle-dot", "muted"))
        text = " ".join(_changes(entry.details))
        events.append({"title": f"{entry.who}: {entry.summary}", "text": text, "at": entry.at, "icon": icon, "tone": tone})
    return events


def _changes(details: dict[str, Any]) -> Iterable[str]:
    before, after = details.get("before"), details.get("after")
    if isinstance(before, dict) and isinstance(after, dict):
        for key, title in FACTS.items():
            if before.get(key) != after.get(key):
                yield f"{title}: {before.get(key) or 'none'} → {after.get(key) or 'none'}."
