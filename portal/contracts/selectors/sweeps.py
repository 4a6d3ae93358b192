"""What waits over all tenants."""

from collections import Counter

from django.db.models import Window
from django.db.models.functions import RowNumber
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
    """Return tenant and key of the documents that wait to be read: the first of every tenant, then the second of each."""
    with all_tenants("the sweep goes on with the documents of every tenant"):
        place = Window(RowNumber(), partition_by="tenant_id", order_by="pk")
        rows = Reading.objects.due(timezone.now()).annotate(place=place).order_by("place", "pk")
        return list(rows.values_list("tenant_id", "pk")[:AT_ONCE])


def due_removals() -> list[tuple[int, int]]:
    """Return tenant and key of the contracts that are to be deleted on the platform, of the tenants in turn as well."""
    with all_tenants("the sweep goes on with the removals of every tenant"):
        place = Window(RowNumber(), partition_by="tenant_id", order_by=["due_at", "pk"])
        rows = Removal.objects.due(timezone.now()).annotate(place=place).order_by("place", "due_at", "pk")
        return list(rows.values_list("tenant_id", "pk")[:AT_ONCE])


def tenants_with_leftover_files() -> list[int]:
    with all_tenants("the sweep finds the leftover files of every tenant"):
        uploads = Upload.objects.with_leftover_file().order_by().values_list("tenant_id", flat=True).distinct()[:MAX_SWEPT]
        readings = Reading.objects.with_leftover_file().order_by().values_list("tenant_id", flat=True).distinct()[:MAX_SWEPT]
        return sorted({*uploads, *readings})
