"""Which contracts have a text that has not been looked through."""

from datetime import datetime

from django.db.models import Exists, OuterRef, Q

from portal.commitments.models import Reading
from portal.commitments.patterns import VERSION
from portal.contracts.models import Contract, ContractQuerySet

MAX_ATTEMPTS = 5
"""A text that cannot be read is left alone after so many tries, until it is read anew or the patterns change."""


def unread(now: datetime, *, patterns: int = VERSION) -> ContractQuerySet:
    """Give the contracts whose text of now has not been looked through by the patterns of now."""
    known = Reading.objects.filter(contract=OuterRef("pk"), read_at=OuterRef("read_at"), patterns=patterns)
    settled = known.filter(Q(is_done=True) | Q(lease_until__gt=now) | Q(attempts__gte=MAX_ATTEMPTS))
    return Contract.objects.present().filter(read_at__isnull=False).exclude(Exists(settled))
