"""The word of a person that an answer and a promise may differ, and taking it back."""

from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.commitments.models import Contradiction
from portal.commitments.selectors import AREA
from portal.commitments.services.commitments import check
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership

CONTRADICTION = "commitment_contradiction"
"""The kind of a contradiction in the history."""


class SaysOtherwise(Exception):
    """The answer says another thing by now than what the person has seen."""


@transaction.atomic
def resolve(contradiction: Contradiction, *, reason: str, seen: str, member: Membership) -> None:
    """Put a contradiction away, with the reason. Raises SaysOtherwise."""
    check(member)
    row = Contradiction.objects.select_for_update().get(pk=contradiction.pk)
    if row.told != seen:
        raise SaysOtherwise
    row.is_open, row.reason, row.settled_at = False, reason[:300], timezone.now()
    row.settled_by_name = str(member.user)[:120]
    row.save(update_fields=["is_open", "reason", "settled_at", "settled_by_name"])
    _note("resolve", row, "Dismissed a contradiction", member)


@transaction.atomic
def reopen(contradiction: Contradiction, *, member: Membership) -> None:
    """Take that word back."""
    check(member)
    row = Contradiction.objects.select_for_update().get(pk=contradiction.pk)
    row.is_open, row.reason, row.settled_at, row.settled_by_name = True, "", None, ""
    row.save(update_fields=["is_open", "reason", "settled_at", "settled_by_name"])
    _note("reopen", row, "Reopened a contradiction", member)


def _note(verb: str, row: Contradiction, summary: str, member: Membership) -> None:
    record(
        f"{CONTRADICTION}.{verb}",
        target=(CONTRADICTION, str(row.pk)),
        summary=f"{summary}: {row.commitment.get_term_display()}.",
        actor=member.user,
        # Not the reason: a person may be named in it.
        details={"account_id": row.commitment.account_id},
    )
    touch_areas(AREA)
