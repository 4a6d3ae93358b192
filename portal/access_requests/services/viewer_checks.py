"""What the review needs and the platform does not say of a viewer: looked up beforehand, so that pages stay quick."""

import time
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Count, F, Min, Q
from django.utils import timezone

from portal.access_requests.kinds import CONTRACT
from portal.access_requests.models import ContractState, Viewer, ViewerQuerySet
from portal.access_requests.services.outcomes import AREA
from portal.accounts.account_facts import CONTRACTS, AccountFacts, facts_for_accounts
from portal.accounts.models import Account
from portal.accounts.selectors import accounts_by_domain, accounts_by_id
from portal.accounts.services import ACCOUNT
from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.page_refresh.services import touch_areas
from portal.sync.copies import locked_in_order
from portal.sync.models import Run
from portal.sync.selectors import kinds_read
from portal.tenants.scope import all_tenants
from portal.trust_center_activity.models import ACTIVITY
from portal.trust_center_activity.selectors import last_seen

CHECK = "portal.access_requests.tasks.check_viewers"
EVERY = timedelta(hours=1)
BATCH = 500
FOR_ACTIVITY, FOR_CONTRACTS, FOR_DOMAINS = frozenset({ACTIVITY}), frozenset({ACCOUNT, CONTRACT}), frozenset({ACCOUNT})
"""The lists that each fact is taken from."""
FACTS = ["quiet_since", "contract", "other_domain"]


def check_viewers(*, seconds: float = TASK_TIME_BUDGET_SECONDS) -> bool:
    """Look up those whose facts are the oldest, for one turn; True when others are left."""
    deadline, read = time.monotonic() + seconds, kinds_read()
    while batch := list(_due(timezone.now(), read).defer("payload", "search").order_by("checked_at", "id")[:BATCH]):
        _check(batch, read)
        if time.monotonic() >= deadline:
            return True
    return False


def tenants_to_check() -> list[int]:
    """Return the tenants with viewers to look up, the longest waiting first; then those where a list was read meanwhile."""
    with all_tenants("the sweep looks up what the reviews of all tenants need"):
        now = timezone.now()
        late = _due(now, frozenset()).order_by().values("tenant_id").annotate(last=Min("checked_at"))
        found = list(late.order_by(F("last").asc(nulls_first=True), "tenant_id").values_list("tenant_id", flat=True))
        lacking = _tenants_of(Viewer.objects.active(now).filter(quiet_since=None)) & _tenants_that_read(FOR_ACTIVITY)
        lacking |= _tenants_of(Viewer.objects.active(now).filter(contract="")) & _tenants_that_read(FOR_CONTRACTS)
    return list(dict.fromkeys([*found, *sorted(lacking)]))


def _due(now: datetime, read: frozenset[str]) -> ViewerQuerySet:
    """Return those never looked at or not for an hour, and those with a fact missing whose list has been read since."""
    late = Q(checked_at=None) | Q(checked_at__lte=now - EVERY)
    if read >= FOR_ACTIVITY:
        late |= Q(quiet_since=None)
    if read >= FOR_CONTRACTS:
        late |= Q(contract="")
    return Viewer.objects.filter(late).active(now)


def _tenants_of(rows: ViewerQuerySet) -> set[int]:
    return set(rows.order_by().values_list("tenant_id", flat=True).distinct())


def _tenants_that_read(kinds: frozenset[str]) -> set[int]:
    read = Run.objects.filter(finished_at__isnull=False, kind__in=kinds).order_by().values("tenant_id")
    counted = read.annotate(number=Count("kind")).filter(number=len(kinds))
    return set(counted.values_list("tenant_id", flat=True))


def _check(viewers: Sequence[Viewer], read: frozenset[str]) -> None:
    """Look up what the lists that were read say; of the others nothing is known, and nothing is written down."""
    now = timezone.now()
    seen = last_seen(viewer.folded_email for viewer in viewers)
    linked = accounts_by_id(viewer.account_id for viewer in viewers)
    of_domain = accounts_by_domain(viewer.domain for viewer in viewers)
    accounts = {row.pk: linked.get(row.account_id) or of_domain.get(row.domain) for row in viewers}
    known = facts_for_accounts({account.platform_id for account in accounts.values() if account}, among={CONTRACTS})
    different = []
    for row in viewers:
        account = accounts[row.pk]
        contract = _contract_of(known[account.platform_id].get(CONTRACTS)) if account else ContractState.NO_ACCOUNT
        facts = {
            "quiet_since": max(row.created_at, seen.get(row.folded_email, row.created_at)) if read >= FOR_ACTIVITY else None,
            "contract": contract if read >= FOR_CONTRACTS else "",
            "other_domain": _other_domain(row, linked.get(row.account_id)),
        }
        if row.checked_at is None or any(getattr(row, name) != value for name, value in facts.items()):
            for name, value in facts.items():
                setattr(row, name, value)
            different.append(row)
    with transaction.atomic():
        same = _lock_the_same(viewers)
        Viewer.objects.bulk_update([row for row in different if row.pk in same], FACTS, batch_size=BATCH)
        Viewer.objects.filter(pk__in=same).update(checked_at=now)
        if different:
            touch_areas(AREA)


def _lock_the_same(viewers: Sequence[Viewer]) -> set[int]:
    """Lock these viewers; return the keys of those whose account and address are what was looked up. The others come next."""
    rows = locked_in_order(Viewer.objects.filter(pk__in=[row.pk for row in viewers]))
    stored = rows.values_list("pk", "account_id", "folded_email")
    looked_up = {(row.pk, row.account_id, row.folded_email) for row in viewers}
    return {pk for pk, *_ in looked_up.intersection(stored)}


def _contract_of(known: AccountFacts | None) -> ContractState:
    if known is None or not known.number:
        return ContractState.NONE
    return ContractState.ENDED if known.finished >= known.number else ContractState.THERE


def _other_domain(viewer: Viewer, account: Account | None) -> str:
    """The domain of the linked account, if it says one and the person writes from another; its subdomains are its own."""
    if account is None or not account.domain or not viewer.domain:
        return ""
    is_own = viewer.domain == account.domain or viewer.domain.endswith(f".{account.domain}")
    return "" if is_own else account.domain
