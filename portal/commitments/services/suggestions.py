"""What a person does with a suggestion: accept it as it is, accept it corrected, dismiss it, bring it back."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.utils import timezone

from portal.accounts.models import Account
from portal.audit.services import record
from portal.commitments.models import Commitment, Suggestion, SuggestionState
from portal.commitments.selectors import AREA
from portal.commitments.services.commitments import Promised, add_commitment, check, summary_of
from portal.commitments.units import validation_error
from portal.contracts.services import change_terms
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership

SUGGESTION = "commitment_suggestion"
"""The kind of a suggestion in the history."""
MAX_AT_ONCE = 200
GONE = "The contract's text was read again, and this is no longer in it."


class NotAccepted(Exception):
    """Nothing was accepted; the message says why."""


class SuggestionGone(NotAccepted):
    """It stands in the text no longer, which was read again meanwhile."""


class CustomerUnknown(NotAccepted):
    """Nobody knows whose contract it is: a person says so first."""


@dataclass
class Outcome:
    """What came of several suggestions."""

    done: int = 0
    failed: list["Failure"] = field(default_factory=list)
    """Those that were left as they are."""


@dataclass(frozen=True)
class Failure:
    """A suggestion that was left as it is, and why."""

    suggestion: Suggestion
    reason: str
    needs_customer: bool = False


@transaction.atomic
def accept(suggestion: Suggestion, *, member: Membership) -> Commitment:
    """Take a suggestion as it is. Raises NotAccepted."""
    row = _lock(suggestion, member)
    account = account_of(row)
    if account is None:
        raise CustomerUnknown("The contract has no customer.")
    if row.amount is not None and validation_error(row.term, row.amount, row.unit)[1]:
        raise NotAccepted("The number doesn't fit the term. Correct it first.")
    promised = Promised(
        term=row.term,
        contract=row.contract,
        amount=row.amount,
        unit=row.unit,
        words=row.words,
        clause=row.clause,
        page=row.page,
        quote=row.quote,
    )
    return _take(row, account, promised, member=member)


@transaction.atomic
def accept_corrected(suggestion: Suggestion, account: Account, promised: Promised, *, member: Membership) -> Commitment:
    """Take a suggestion as a person has corrected it. Raises NotAccepted.

    A contract without a customer gets the one that was chosen, so that its other suggestions need not ask.
    """
    row = _lock(suggestion, member)
    if account_of(row) is None:
        change_terms(row.contract, {"account_id": account.platform_id}, member=member, how=", with a suggestion")
    return _take(row, account, promised, member=member)


@transaction.atomic
def dismiss(suggestion: Suggestion, *, member: Membership) -> None:
    """Say that it is no promise. The same words of this contract are not suggested again. Raises NotAccepted."""
    row = _lock(suggestion, member)
    _decide(row, SuggestionState.PUT_AWAY, member)
    _note("dismiss", row, "Dismissed a suggestion", member)


@transaction.atomic
def bring_back(suggestion: Suggestion, *, member: Membership) -> None:
    """Have a suggestion that was dismissed decided anew."""
    check(member)
    row = Suggestion.objects.select_for_update().get(pk=suggestion.pk)
    if row.state == SuggestionState.PUT_AWAY:
        row.state, row.decided_at, row.decided_by_name = SuggestionState.OPEN, None, ""
        row.save(update_fields=["state", "decided_at", "decided_by_name"])
        _note("bring_back", row, "Brought a suggestion back", member)


def decide_many(suggestions: Sequence[Suggestion], *, accepts: bool, member: Membership) -> Outcome:
    """Accept or dismiss several, each by itself: what cannot be done is left, with the reason (guarantee W4)."""
    check(member)
    outcome = Outcome()
    for suggestion in suggestions[:MAX_AT_ONCE]:
        try:
            if accepts:
                accept(suggestion, member=member)
            else:
                dismiss(suggestion, member=member)
            outcome.done += 1
        except NotAccepted as reason:
            outcome.failed.append(Failure(suggestion, str(reason), isinstance(reason, CustomerUnknown)))
    return outcome


def account_of(suggestion: Suggestion) -> Account | None:
    """Return the customer of the contract that it was found in."""
    account_id = suggestion.contract.account_id
    return Account.objects.present().filter(platform_id=account_id).first() if account_id else None


def _lock(suggestion: Suggestion, member: Membership) -> Suggestion:
    check(member)
    row = Suggestion.objects.select_for_update(of=("self",)).select_related("contract").filter(pk=suggestion.pk).first()
    if row is None:
        raise SuggestionGone(GONE)
    if not row.is_open:
        raise NotAccepted(f"{row.decided_by_name or 'Someone'} already decided this: {row.get_state_display().lower()}.")
    return row


def _take(row: Suggestion, account: Account, promised: Promised, *, member: Membership) -> Commitment:
    commitment = _same(account, promised) or add_commitment(account, promised, member=member)
    row.commitment = commitment
    _decide(row, SuggestionState.ACCEPTED, member)
    _note("accept", row, f"Accepted a suggestion as “{summary_of(commitment)}”", member)
    return commitment


def _same(account: Account, promised: Promised) -> Commitment | None:
    """Find the promise when it is in the register already: a contract may say it in two places."""
    if promised.contract is None or promised.data_kinds or promised.notify:
        return None
    rows = Commitment.objects.in_force().filter(account_id=account.platform_id, contract=promised.contract)
    same = {"term": promised.term, "amount": promised.amount, "unit": promised.unit, "words": promised.words}
    return rows.filter(**same, data_kinds=[], notify="").first()


def _decide(row: Suggestion, state: SuggestionState, member: Membership) -> None:
    row.state, row.decided_at, row.decided_by_name = state, timezone.now(), str(member.user)[:120]
    row.save(update_fields=["state", "decided_at", "decided_by_name", "commitment"])


def _note(verb: str, row: Suggestion, summary: str, member: Membership) -> None:
    record(
        f"{SUGGESTION}.{verb}",
        target=(SUGGESTION, str(row.pk)),
        summary=f"{summary}: {row.get_term_display()}, page {row.page}.",
        actor=member.user,
        details={"contract_id": row.contract.platform_id},
    )
    touch_areas(AREA)
