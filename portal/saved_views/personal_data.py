"""Saved views whose search is about a person: deleted when that person is erased (guarantee S11)."""

from collections.abc import Iterator
from urllib.parse import unquote_plus

from django.db.models import Q, QuerySet

from portal.saved_views.models import OwnView, SavedView, SavedViewQuerySet
from portal.tenants.models import Membership
from portal.tenants.personal_data import register_holding
from portal.tenants.scope import current_tenant_id
from portal.tenants.texts import alone, named_in

HAS_ADDRESS = Q(name__contains="@") | Q(query__contains="%40") | Q(query__contains="@")


def register_personal_data() -> None:
    register_holding("Saved views", rows=_rows_about, erase=lambda rows: rows.delete(), addresses=_addresses)
    register_holding("Own views", rows=_own_about, erase=lambda rows: rows.delete(), addresses=_addresses_of_own)


def _rows_about(email: str) -> SavedViewQuerySet:
    pattern = alone(email)
    keys = [view.pk for view in SavedView.objects.filter(HAS_ADDRESS) if pattern.search(_text(view))]
    rows: SavedViewQuerySet = SavedView.objects.filter(pk__in=keys)
    return rows


def _addresses() -> Iterator[str]:
    for view in SavedView.objects.filter(HAS_ADDRESS):
        yield from named_in(_text(view))


def _own_views() -> QuerySet[OwnView]:
    """Those of the members of the tenant in scope."""
    members = Membership.objects.filter(tenant=current_tenant_id()).values("user")
    return OwnView.objects.filter(HAS_ADDRESS, owner__in=members)


def _own_about(email: str) -> QuerySet[OwnView]:
    pattern = alone(email)
    return OwnView.objects.filter(pk__in=[view.pk for view in _own_views() if pattern.search(_text(view))])


def _addresses_of_own() -> Iterator[str]:
    for view in _own_views():
        yield from named_in(_text(view))


def _text(view: SavedView | OwnView) -> str:
    return f"{view.name} {unquote_plus(view.query)}"
