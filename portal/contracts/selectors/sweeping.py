"""What waits over all tenants."""

from collections import Counter

from django.utils import timezone

from portal.contracts.models import A_MINUTE, Reading, Removal, Upload
from portal.tenants.scope import all_tenants

MAX_SWEPT = 5000
AT_ONCE = 100
"""Documents and removals in one turn: those behind them have their turn with the next sweep."""


def due_uploads() -> list[tuple[int, int]]:
    """Return tenant and key of the uploads that are due, the longest waiting first; of each tenant what a minute takes."""
    taken: Counter[int] = Counter()
    found = []
    with all_tenants("the sweep goes on with the uploads of every tenant"):
        rows = Upload.objects.due(timezone.now()).order_by("due_at", "id").values_list("tenant_id", "pk")[:MAX_SWEPT]
        for tenant_id, upload_id in rows:
            taken[tenant_id] += 1
            if taken[tenant_id] <= A_MINUTE:
                found.append((tenant_id, upload_id))
    return found


def due_readings() -> list[tuple[int, int]]:
    """Return tenant and key of the documents that wait to be read."""
    with all_tenants("the sweep goes on with the documents of every tenant"):
        return list(Reading.objects.due(timezone.now()).order_by("pk").values_list("tenant_id", "pk")[:AT_ONCE])


def due_removals() -> list[tuple[int, int]]:
    """Return tenant and key of the contracts that are to be deleted on the platform."""
    with all_tenants("the sweep goes on with the removals of every tenant"):
        return list(Removal.objects.due(timezone.now()).order_by("pk").values_list("tenant_id", "pk")[:AT_ONCE])


def tenants_with_leftover_files() -> list[int]:
    with all_tenants("the sweep finds the leftover files of every tenant"):
        uploads = Upload.objects.with_leftover_file().order_by().values_list("tenant_id", flat=True).distinct()[:MAX_SWEPT]
        readings = Reading.objects.with_leftover_file().order_by().values_list("tenant_id", flat=True).distinct()[:MAX_SWEPT]
        return sorted({*uploads, *readings})
