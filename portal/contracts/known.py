"""What this desk tells the others of a customer."""

from collections.abc import Mapping, Set

from django.db.models import Count, Max
from django.utils.formats import date_format

from portal.accounts.known import Known
from portal.contracts.models import Contract


def contracts_of(account_ids: Set[str]) -> Mapping[str, Known]:
    """Count the contracts of accounts, with the day on which the latest was executed."""
    rows = Contract.objects.present().filter(account_id__in=account_ids).order_by().values("account_id")
    found = {}
    for row in rows.annotate(number=Count("id"), latest=Max("executed_on")):
        number, latest = row["number"], row["latest"]
        words = f"{number} contract{'' if number == 1 else 's'}"
        if latest:
            words += f", {'' if number == 1 else 'the latest '}of {date_format(latest, 'j F Y')}"
        found[row["account_id"]] = Known(number=number, latest=latest, words=words)
    return found
