"""How contracts are fetched, stored and found gone. No event tells of them: the comparison of the whole list does."""

from django.utils import timezone

from portal.contracts.models import Contract
from portal.contracts.services.store import AREA, CONTRACT, store_contract
from portal.platform_api import Page, Platform
from portal.platform_api import models as remote
from portal.sync.mirrors import Mirror, names_of_rows


def fetch_contract(client: Platform, contract_id: str) -> remote.Contract:
    return client.contracts.get(contract_id)


def page_of_contracts(client: Platform, cursor: str | None) -> Page[remote.Contract]:
    return client.contracts.all.page(cursor)


def has_contract(contract_id: str) -> bool:
    return Contract.objects.filter(platform_id=contract_id).exists()


def mark_contract_gone(contract_id: str) -> bool:
    return bool(Contract.objects.present().filter(platform_id=contract_id).update(gone_at=timezone.now()))


def known_contracts() -> set[str]:
    return set(Contract.objects.present().values_list("platform_id", flat=True))


MIRRORS = (
    Mirror(
        kind=CONTRACT,
        names=names_of_rows(Contract),
        title="Contracts",
        area=AREA,
        fetch=fetch_contract,
        save=store_contract,
        mark_gone=mark_contract_gone,
        has=has_contract,
        page=page_of_contracts,
        known=known_contracts,
    ),
)
