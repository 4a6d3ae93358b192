"""Writing a promise down, changing it, ending it. Every one of them is audited, without the words of the contract.

What stands in quotes, in `notify` and in promises of words may name a person: the history keeps none of it (guarantee S11).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.accounts.models import Account
from portal.audit.services import record
from portal.commitments.comparison import compare
from portal.commitments.models import Commitment, Standard, Term
from portal.commitments.selectors import AREA
from portal.commitments.services.stale_customers import check_soon
from portal.contracts.models import Contract
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Role

COMMITMENT = "commitment"
"""The kind of a promise in the history."""


class ChangedMeanwhile(Exception):
    """Somebody was faster: what is stored is not what the person has seen."""

    def __init__(self, commitment: Commitment) -> None:
        super().__init__("Someone else changed this commitment.")
        self.commitment = commitment


@dataclass(frozen=True, kw_only=True)
class Promised:
    """What a person says was promised."""

    term: str
    contract: Contract | None = None
    amount: Decimal | None = None
    unit: str = ""
    words: str = ""
    clause: str = ""
    page: int | None = None
    quote: str = ""
    data_kinds: Sequence[str] = field(default_factory=list)
    notify: str = ""
    zone: str = ""
    country: str = ""

    @property
    def columns(self) -> dict[str, Any]:
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return values | {"data_kinds": list(self.data_kinds)}


@transaction.atomic
def add_commitment(account: Account, promised: Promised, *, member: Membership) -> Commitment:
    """Write a promise down."""
    check(member)
    commitment = Commitment(account_id=account.platform_id, created_by_name=str(member.user)[:120])
    return _store(commitment, promised, account=account, member=member)


@transaction.atomic
def change_commitment(commitment: Commitment, promised: Promised, *, seen: str, member: Membership) -> Commitment:
    """Change a promise as the person has seen it. Raises ChangedMeanwhile."""
    check(member)
    row = _lock(commitment, seen)
    before = facts_of(row)
    for name, value in promised.columns.items():
        setattr(row, name, value)
    _settle(row)
    row.save()
    details = {"before": before, "after": facts_of(row)}
    note("change", row, f"Changed a commitment: {summary_of(row)}.", member=member, details=details)
    return row


@transaction.atomic
def end_commitment(commitment: Commitment, *, seen: str, member: Membership) -> Commitment:
    """Say that a promise holds no longer. Raises ChangedMeanwhile."""
    check(member)
    row = _lock(commitment, seen)
    if row.ended_at is None:
        row.ended_at = row.changed_at = timezone.now()
        row.ended_by_name = str(member.user)[:120]
        row.save(update_fields=["ended_at", "ended_by_name", "changed_at"])
        note("end", row, f"Ended a commitment: {summary_of(row)}.", member=member)
    return row


@transaction.atomic
def reopen_commitment(commitment: Commitment, *, seen: str, member: Membership) -> Commitment:
    """Say that it holds after all. Raises ChangedMeanwhile."""
    check(member)
    row = _lock(commitment, seen)
    if row.ended_at is not None:
        row.ended_at, row.ended_by_name, row.changed_at = None, "", timezone.now()
        _settle(row)
        row.save(update_fields=["ended_at", "ended_by_name", "changed_at", "comparison", "search"])
        note("reopen", row, f"Reopened a commitment: {summary_of(row)}.", member=member)
    return row


def check(member: Membership) -> None:
    if not member.may(Role.ANALYST):
        raise PermissionDenied


def _lock(commitment: Commitment, seen: str) -> Commitment:
    row = Commitment.objects.select_for_update().get(pk=commitment.pk)
    if row.version != seen:
        raise ChangedMeanwhile(row)
    return row


def _store(commitment: Commitment, promised: Promised, *, account: Account, member: Membership) -> Commitment:
    for name, value in promised.columns.items():
        setattr(commitment, name, value)
    commitment.account_name = account.name[:300]
    _settle(commitment)
    commitment.save()
    note("add", commitment, f"Added a commitment: {summary_of(commitment)}.", member=member)
    return commitment


def _settle(commitment: Commitment) -> None:
    """Work out what follows from the rest of the row."""
    standard = Standard.objects.filter(term=commitment.term).first()
    commitment.comparison = compare(commitment.term, commitment, standard).verdict
    commitment.search = searched(commitment)
    commitment.changed_at = timezone.now()


def searched(commitment: Commitment) -> str:
    """Return what the search looks at, folded."""
    contract = str(commitment.contract) if commitment.contract else ""
    parts = (commitment.account_name, Term(commitment.term).label, commitment.promise, commitment.clause, contract)
    return " ".join([*map(str, parts), commitment.quote, commitment.notify]).casefold()


def summary_of(commitment: Commitment) -> str:
    """Name a promise for the history; one of words by its term alone."""
    label = Term(commitment.term).label
    return f"{label}, {commitment.promise}" if commitment.amount is not None else f"{label}, in words"


def facts_of(commitment: Commitment) -> dict[str, Any]:
    """What the history compares. Of texts that may name a person it only knows whether they changed."""
    facts = {
        "term": commitment.get_term_display(),
        "promise": commitment.promise if commitment.amount is not None else "in words",
        "page": commitment.page,
    }
    return {name: "" if value is None else str(value) for name, value in facts.items()}


def note(
    verb: str, commitment: Commitment, summary: str, *, member: Membership, details: Mapping[str, Any] | None = None
) -> None:
    record(
        f"commitment.{verb}",
        target=(COMMITMENT, str(commitment.pk)),
        summary=summary,
        actor=member.user,
        details={"account_id": commitment.account_id, **(details or {})},
    )
    check_soon([commitment.account_id])
    touch_areas(AREA)
