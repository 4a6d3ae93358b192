"""Saying that two accounts are one customer, and taking that back. The platform's accounts stay as they are.

Nothing is moved from one account to the other: who reads a customer reads all of its accounts (`merged_accounts`).
So a merge is undone by saying no more that they belong together.
"""

from uuid import uuid4

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction

from portal.accounts import timeline
from portal.accounts.account_facts import desks
from portal.accounts.models import Account, Part
from portal.accounts.services import ACCOUNT
from portal.accounts.services import AREA as ACCOUNTS
from portal.accounts.signals import accounts_regrouped
from portal.audit.services import record
from portal.customers.models import NotDuplicates, pair_of
from portal.customers.services.outcomes import AREA
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, Role


class NotMergeable(Exception):
    """These two cannot be merged as they stand; the message says why, and what to do first."""


@transaction.atomic
def merge(main: Account, duplicate: Account, *, member: Membership) -> None:
    """Make an account a duplicate of another one. Raises NotMergeable; once more changes nothing."""
    _check(member)
    if main.pk == duplicate.pk:
        raise NotMergeable("An account can't be a duplicate of itself.")
    parts = _parts_of(main, duplicate)
    ours, theirs = parts.get(main.platform_id), parts.get(duplicate.platform_id)
    if ours and theirs and ours.customer == theirs.customer and ours.is_main:
        return
    if ours and not ours.is_main:
        raise NotMergeable(f"{main} is a duplicate itself. Merge with its main account, or unmerge it first.")
    if theirs and theirs.is_main:
        raise NotMergeable(f"{duplicate} has duplicates of its own. Make it the main account, or unmerge those first.")
    if theirs:
        raise NotMergeable(f"{duplicate} is a duplicate of another customer. Unmerge it from that customer first.")
    who = str(member.user)[:120]
    customer = ours.customer if ours else uuid4()
    rows = [] if ours else [Part(customer=customer, account_id=main.platform_id, is_main=True, merged_by_name=who)]
    rows.append(Part(customer=customer, account_id=duplicate.platform_id, merged_by_name=who))
    try:
        with transaction.atomic():
            Part.objects.bulk_create(rows)
    except IntegrityError:
        raise NotMergeable("Someone just merged one of these accounts. Check them again.") from None
    # Whoever merges them takes back that they are two.
    one_id, other_id = pair_of(main.platform_id, duplicate.platform_id)
    NotDuplicates.objects.filter(one_id=one_id, other_id=other_id).delete()
    accounts_regrouped.send(Part, account_ids=set(Part.objects.filter(customer=customer).values_list("account_id", flat=True)))
    _note("customer.merge", main, duplicate, member, f"Merged {duplicate.name[:120]} into {main.name[:120]} here.")


@transaction.atomic
def take_apart(duplicate: Account, *, member: Membership) -> Account | None:
    """Say no more that an account is a duplicate; return the main one that it was merged into."""
    _check(member)
    parts = _lock_parts(duplicate)
    if not parts:
        return None
    main_id = next((each.account_id for each in parts if each.is_main), "")
    left = [each for each in parts if each.account_id != duplicate.platform_id]
    # A customer of a single account needs nobody to say so.
    gone = parts if len(left) < 2 else [each for each in parts if each not in left]
    Part.objects.filter(pk__in=[each.pk for each in gone]).delete()
    accounts_regrouped.send(Part, account_ids={each.account_id for each in parts})
    main = Account.objects.filter(platform_id=main_id).first()
    _note("customer.take_apart", main or duplicate, duplicate, member, f"Unmerged {duplicate.name[:200]}.")
    return main


@transaction.atomic
def make_main(duplicate: Account, *, member: Membership) -> None:
    """Let a duplicate stand for the customer; what was the main account is a duplicate of it."""
    _check(member)
    parts = _lock_parts(duplicate)
    if not parts:
        return
    Part.objects.filter(customer=parts[0].customer).update(is_main=False)
    Part.objects.filter(account_id=duplicate.platform_id).update(is_main=True)
    _note("customer.make_main", duplicate, duplicate, member, f"Made {duplicate.name[:200]} the main account.")


@transaction.atomic
def say_not_duplicates(one_id: str, other_id: str, *, member: Membership) -> None:
    """Do not suggest this pair again."""
    _check_analyst(member)
    one_id, other_id = pair_of(one_id, other_id)
    values = {"said_by_name": str(member.user)[:120]}
    _, is_new = NotDuplicates.objects.get_or_create(one_id=one_id, other_id=other_id, defaults=values)
    if is_new:
        details = {"other_id": other_id}
        summary = "Marked two accounts as not duplicates."
        record("customer.not_duplicates", target=(ACCOUNT, one_id), summary=summary, actor=member.user, details=details)
        touch_areas(AREA)


@transaction.atomic
def suggest_again(one_id: str, other_id: str, *, member: Membership) -> None:
    """Suggest a pair again, while there is reason to."""
    _check_analyst(member)
    one_id, other_id = pair_of(one_id, other_id)
    number, _ = NotDuplicates.objects.filter(one_id=one_id, other_id=other_id).delete()
    if number:
        details = {"other_id": other_id}
        summary = "Suggested again that two accounts may be one customer."
        record("customer.suggest_again", target=(ACCOUNT, one_id), summary=summary, actor=member.user, details=details)
        touch_areas(AREA)


def _parts_of(*accounts: Account) -> dict[str, Part]:
    """Lock what is said of these accounts so far, in one order."""
    ids = [account.platform_id for account in accounts]
    return {part.account_id: part for part in Part.objects.select_for_update().filter(account_id__in=ids).order_by("id")}


def _lock_parts(duplicate: Account) -> list[Part]:
    """Lock all parts of the customer that an account is a duplicate of; none where it is no duplicate, or no longer is."""
    part = Part.objects.filter(account_id=duplicate.platform_id, is_main=False).first()
    if part is None:
        return []
    parts = list(Part.objects.select_for_update().filter(customer=part.customer).order_by("id"))
    # Looked at once more, now that nobody else can change them: somebody may have taken them apart meanwhile, or made it main.
    return parts if any(each.account_id == duplicate.platform_id and not each.is_main for each in parts) else []


def _note(action: str, main: Account, duplicate: Account, member: Membership, summary: str) -> None:
    details = {"main_id": main.platform_id, "duplicate_id": duplicate.platform_id}
    record(action, target=(ACCOUNT, main.platform_id), summary=summary, actor=member.user, details=details)
    # What every desk tells of the two is another sum from now on.
    touch_areas(AREA, ACCOUNTS, *({desk.area for desk in desks().values()} | timeline.areas()))


def _check(member: Membership) -> None:
    if not member.may(Role.APPROVER):
        raise PermissionDenied


def _check_analyst(member: Membership) -> None:
    if not member.may(Role.ANALYST):
        raise PermissionDenied
