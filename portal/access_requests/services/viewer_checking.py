"""What the review needs and the platform does not say of a viewer: looked up beforehand, so that pages stay quick."""

import time
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from portal.access_requests.models import ContractState, Viewer, ViewerQuerySet
from portal.access_requests.services.settling import AREA
from portal.accounts.known import CONTRACTS, Known, known_of
from portal.accounts.models import Account
from portal.accounts.selectors import accounts_by_domain, accounts_by_id
from portal.interest.selectors import last_seen
from portal.lib.turns import TURN_SECONDS
from portal.live.services import changed
from portal.tenants.scope import all_tenants

CHECK = "portal.access_requests.tasks.check_viewers"
EVERY = timedelta(hours=1)
BATCH = 500
FACTS = ["quiet_since", "contract", "other_domain"]


def check_viewers(*, seconds: float = TURN_SECONDS) -> bool:
    """Look up those whose facts are the oldest, for one turn; True when others are left."""
    deadline = time.monotonic() + seconds
    while batch := list(_due(timezone.now()).defer("payload", "search").order_by("checked_at", "id")[:BATCH]):
        _check(batch)
        if time.monotonic() >= deadline:
            return True
    return False


def tenants_to_check() -> list[int]:
    with all_tenants("the sweep looks up what the reviews of all tenants need"):
        return list(_due(timezone.now()).order_by().values_list("tenant_id", flat=True).distinct())


def _due(now: datetime) -> ViewerQuerySet:
    return Viewer.objects.filter(Q(checked_at=None) | Q(checked_at__lte=now - EVERY)).active(now)


def _check(viewers: Sequence[Viewer]) -> None:
    now = timezone.now()
    seen = last_seen(viewer.folded_email for viewer in viewers)
    linked = accounts_by_id(viewer.account_id for viewer in viewers)
    of_domain = accounts_by_domain(viewer.domain for viewer in viewers)
    accounts = {row.pk: linked.get(row.account_id) or of_domain.get(row.domain) for row in viewers}
    known = known_of({account.platform_id for account in accounts.values() if account}, among={CONTRACTS})
    different = []
    for row in viewers:
        account = accounts[row.pk]
        facts = {
            "quiet_since": max(row.created_at, seen.get(row.folded_email, row.created_at)),
            "contract": _contract_of(known[account.platform_id].get(CONTRACTS)) if account else "",
            "other_domain": _other_domain(row, linked.get(row.account_id)),
        }
        if any(getattr(row, name) != value for name, value in facts.items()):
            for name, value in facts.items():
                setattr(row, name, value)
            different.append(row)
    with transaction.atomic():
        Viewer.objects.bulk_update(different, FACTS, batch_size=BATCH)
        Viewer.objects.filter(pk__in=[row.pk for row in viewers]).update(checked_at=now)
        if different:
            changed(AREA)


def _contract_of(known: Known | None) -> ContractState:
    if known is None or not known.number:
        return ContractState.NONE
    return ContractState.ENDED if known.finished >= known.number else ContractState.THERE


def _other_domain(viewer: Viewer, account: Account | None) -> str:
    """The domain of the linked account, if it says one and the person writes from another; its subdomains are its own."""
    if account is None or not account.domain or not viewer.domain:
        return ""
    is_own = viewer.domain == account.domain or viewer.domain.endswith(f".{account.domain}")
    return "" if is_own else account.domain
