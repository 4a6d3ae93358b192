"""Importing contract terms from a file: each row is saved like one that was typed."""

from collections.abc import Sequence

from django.db import transaction

from portal.contracts.import_rows import ImportRow
from portal.contracts.services.checks import check
from portal.contracts.services.terms import change_terms
from portal.tenants.models import Membership


def apply_rows(rows: Sequence[ImportRow], *, member: Membership) -> int:
    """Save the terms of all rows, or none when something breaks; return how many contracts were changed."""
    check(member)
    with transaction.atomic():
        return sum(
            change_terms(row.contract, row.values, member=member, how=" from a file")
            for row in rows
            if row.contract and not row.problem
        )
