"""What comparing found that no event had told us of: counted in the run, and named in a report."""

from datetime import timedelta

from django.utils import timezone

from portal.sync.models import Finding, MissedChange, Run
from portal.tenants.scope import all_tenants

KEPT = timedelta(days=30)
NAMED_OF_A_RUN = 200
"""Objects that one comparison names; of a feed that was off for long, the number says enough."""


def note_missed(run: Run, object_id: str, finding: Finding) -> None:
    """Count a change that the first copy cannot be blamed for. Runs in the step's transaction."""
    if run.is_first:
        return
    run.missed += 1
    if run.missed <= NAMED_OF_A_RUN:
        MissedChange.objects.create(
            kind=run.kind, title=run.title, object_id=object_id, finding=finding, compared_since=run.compared_since
        )


def prune_missed() -> int:
    """Remove what is older than the report, of every tenant."""
    with all_tenants("old findings are pruned together"):
        removed, _ = MissedChange.objects.filter(found_at__lt=timezone.now() - KEPT).delete()
    return removed
