"""Own fields out of a file: each line noted like one that was typed."""

from collections.abc import Sequence

from django.db import transaction

from portal.contracts.import_rows import ImportRow
from portal.contracts.services.checks import check
from portal.contracts.services.terms import change_terms
from portal.tenants.models import Membership


def apply_lines(lines: Sequence[ImportRow], *, member: Membership) -> int:
    """Note what the lines say; return how many contracts were changed by it. All of them, or none when something breaks."""
    check(member)
    with transaction.atomic():
        return sum(
            change_terms(line.contract, line.values, member=member, how=" from a file")
            for line in lines
            if line.contract and not line.problem
        )
