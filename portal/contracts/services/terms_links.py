"""What people noted of a contract belongs to its copy, also to one that came back."""

from typing import Any

from django.utils import timezone

from portal.contracts.dates import recalculate_dates
from portal.contracts.models import FAR, Contract, Terms


def name_terms(terms: Terms, contract: Contract) -> None:
    terms.contract, terms.external_id, terms.contract_name = contract, contract.external_id, contract.name


def promote(terms: Terms) -> None:
    """Copy to the contract what lists filter and sort by."""
    columns: dict[str, Any] = {"ends_sort": terms.turns_on or FAR, "notice_sort": terms.notice_on or FAR, "owner": terms.owner}
    if terms.contract:
        columns["account_id"] = terms.account_id or terms.contract.platform_account_id
        Contract.objects.filter(pk=terms.contract.pk).update(**columns)


def rejoin_terms(contract: Contract) -> None:
    """A copy has come (back): what was noted of it is its own again. In the transaction that stores it."""
    rows = Terms.objects.select_for_update(of=("self",))
    terms = rows.filter(platform_id=contract.platform_id).first()
    if terms is None and contract.external_id:
        # Uploaded anew after it was gone: another id of the platform, the same contract.
        same = rows.filter(external_id=contract.external_id)
        terms = same.filter(contract=None).first() or same.filter(contract__gone_at__isnull=False).first()
    if terms is None:
        return
    terms.platform_id = contract.platform_id
    name_terms(terms, contract)
    recalculate_dates(terms, timezone.localdate())
    terms.save()
    promote(terms)
