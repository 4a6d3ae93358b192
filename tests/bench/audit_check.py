"""How long does the check of an audit trail take, whole and as it is done each day, and does a row of a long one cost more?"""

import math

from portal.audit.chain import verify
from portal.audit.chain_checks import check_chain
from portal.audit.services import new_entry, record_all
from portal.tenants.models import Tenant
from portal.tenants.scope import tenant_scope
from portal.users.models import User
from tests.bench.medians import per_second
from tests.bench.world import make_tenant

FEW, MANY = 10_000, 200_000
BATCH = 1_000


def print_audit_check() -> None:
    print(f"\nThe check of an audit trail, {FEW:,} rows against {MANY:,}:")
    for count in (FEW, MANY):
        tenant, user = make_tenant(f"Audit of {count}")
        _write(tenant, user, count)
        whole = 1 / per_second(lambda tenant=tenant: _walk(tenant), count=1)
        check_chain(tenant.pk, seconds=math.inf)
        daily = 1 / per_second(lambda tenant=tenant: check_chain(tenant.pk, seconds=math.inf), count=1)
        each = f"{whole / count * 1_000_000:.0f} µs for each"
        print(f"  {count:>7,} rows  whole {whole:.2f} s, {each}   the next day, nothing new: {daily:.2f} s")


def _walk(tenant: Tenant) -> None:
    assert verify(tenant.pk).broken is None


def _write(tenant: Tenant, user: User, count: int) -> None:
    with tenant_scope(tenant.pk):
        for start in range(0, count, BATCH):
            numbers = range(start, min(start + BATCH, count))
            details = {"before": "IN_PROGRESS", "after": "IN_REVIEW"}
            record_all(
                [
                    new_entry("bench.change", target=("bench", str(number)), summary="Changed.", actor=user, details=details)
                    for number in numbers
                ]
            )
