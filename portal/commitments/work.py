"""Contracts in whose text promises were found that nobody has decided about, as work."""

from collections.abc import Iterable
from functools import partial

from django.db.models import Count, QuerySet
from django.urls import reverse
from django.utils.http import urlencode

from portal.commitments.models import Suggestion
from portal.contracts.models import Contract
from portal.work_items.kinds import Item, Kind, Searched, Source, register_kind


def _suggested() -> QuerySet[Contract]:
    return Contract.objects.filter(gone_at=None, pk__in=Suggestion.objects.open().values("contract"))


def build(ids: Iterable[int]) -> dict[int, Item]:
    """Make one item for each contract, however many promises were found in it."""
    found = Suggestion.objects.open().filter(contract__in=list(ids)).order_by()
    numbers = dict(found.values("contract").annotate(number=Count("pk")).values_list("contract", "number"))
    rows = Contract.objects.filter(gone_at=None, pk__in=numbers).defer("payload", "search")
    return {
        row.pk: Item(
            title=row.title,
            to_do=f"Decide on {numbers[row.pk]} suggested commitment{'' if numbers[row.pk] == 1 else 's'}",
            url=partial(_url, row.platform_id),
            account_id=row.account_id,
        )
        for row in rows
    }


def _url(platform_id: str, slug: str) -> str:
    return f"{reverse('commitments:suggestions', args=[slug])}?{urlencode({'contract': platform_id})}"


def register() -> None:
    register_kind(
        Kind(
            name="commitment_suggestions",
            label="Suggested commitments",
            icon="scale",
            desk="Commitments",
            sources=(
                Source(model=Suggestion, columns=("state",), key="contract"),
                Source(model=Contract, columns=("gone_at",)),
            ),
            build=build,
            searched=Searched(Contract),
            objects=_suggested,
        )
    )
