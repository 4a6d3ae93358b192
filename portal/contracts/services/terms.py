"""What people note of a contract: stored, and recalculated as time passes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from portal.audit.services import record
from portal.contracts.dates import recalculate_dates
from portal.contracts.models import Contract, Terms
from portal.contracts.services.checks import check
from portal.contracts.services.store import AREA, CONTRACT
from portal.contracts.services.terms_links import name_terms, promote
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership, TenantQuerySet
from portal.tenants.scope import all_tenants
from portal.tenants.turns import serve_in_turn

FIELDS = {
    "account_id": "customer",
    "ends_on": "end",
    "renews_on": "renewal",
    "renews_itself": "renews automatically",
    "renewal_months": "renewal term",
    "notice_number": "notice period",
    "notice_unit": "unit of the notice period",
    "owner": "owner",
    "governed_by": "governing DPA",
    "governed_by_words": "governing DPA in words",
    "notes": "notes",
}
"""What a person can change, and how the history calls it."""
NOT_TOLD = ("notes", "governed_by_words")
"""What stands in these may be about a person: the history says only that they were changed."""
MAX_RECALCULATED = 500


@dataclass
class Overtaken(Exception):
    """Somebody changed the own fields since the form was drawn."""

    now: Terms


def terms_of(contract: Contract) -> Terms:
    """What is noted of a contract; a row that is not stored yet where nothing is."""
    return _terms_among(Terms.objects.all(), contract)


def _terms_among(rows: TenantQuerySet[Terms], contract: Contract) -> Terms:
    found = rows.select_related("owner").filter(platform_id=contract.platform_id).first()
    return found or Terms(platform_id=contract.platform_id, tenant_id=contract.tenant_id)


def _lock(contract: Contract) -> tuple[Contract, Terms]:
    """Lock a contract, and then what is noted of it, until the transaction ends.

    The first set of terms has no row of its own yet, so the contract orders two people; sweeps, and whoever erases somebody's
    address, write to the terms alone.
    """
    contract = Contract.objects.select_for_update().get(pk=contract.pk)
    return contract, _terms_among(Terms.objects.select_for_update(of=("self",)), contract)


def change_terms(
    contract: Contract, values: Mapping[str, Any], *, member: Membership, version: int | None = None, how: str = ""
) -> bool:
    """Note what is different of a contract; False when nothing is. Raises Overtaken when there is another version by now."""
    check(member)
    with transaction.atomic():
        contract, terms = _lock(contract)
        if version is not None and terms.version != version:
            raise Overtaken(terms)
        before = {name: getattr(terms, name) for name in FIELDS}
        different = {name: value for name, value in values.items() if before[name] != value}
        if not different:
            return False
        for name, value in different.items():
            setattr(terms, name, value)
        recalculate_dates(terms, timezone.localdate())
        terms.version += 1
        terms.changed_at, terms.changed_by_name = timezone.now(), str(member.user)[:120]
        name_terms(terms, contract)
        terms.save()
        promote(terms)
        words = ", ".join(title for name, title in FIELDS.items() if name in different)
        record(
            "contract.change_terms",
            target=(CONTRACT, contract.platform_id),
            summary=f"Changed {words} of {contract.title[:150]}{how}.",
            actor=member.user,
            details={"before": _told(before, different), "after": _told(different, different)},
        )
        touch_areas(AREA)
    return True


def settle_notice(contract: Contract, *, member: Membership) -> bool:
    """Note that somebody has decided about the notice day of a contract, be it over; False when nothing is open."""
    check(member)
    with transaction.atomic():
        contract, terms = _lock(contract)
        if not terms.is_notice_open:
            return False
        before, terms.notice_settled_on = terms.notice_settled_on, terms.notice_on
        terms.save(update_fields=["notice_settled_on"])
        record(
            "contract.settle_notice",
            target=(CONTRACT, contract.platform_id),
            summary=f"Decided about the notice day of {contract.title[:150]}.",
            actor=member.user,
            details={"before": str(before or ""), "after": str(terms.notice_on)},
        )
        touch_areas(AREA)
    return True


def _told(values: Mapping[str, Any], different: Mapping[str, Any]) -> dict[str, Any]:
    told = {name: values[name] for name in different if name not in NOT_TOLD}
    return {name: value if isinstance(value, bool | int | None) else str(value) for name, value in told.items()}


def recalculate_renewed(today: date | None = None) -> int:
    """Go on with every contract that has renewed itself since; return how many."""
    today = today or timezone.localdate()
    with all_tenants("contracts of every tenant renew themselves"):
        over = Terms.objects.filter(Q(renews_itself=True), turns_on__lt=today).order_by("pk")
        found = list(over.values_list("tenant_id", "pk")[:MAX_RECALCULATED])
    return serve_in_turn(found, partial(_recalculate, today=today), what="the renewal of a contract")


@transaction.atomic
def _recalculate(pk: int, *, today: date) -> bool:
    # The contract first, as everybody does: the sorting of its list is written in the end.
    Contract.objects.select_for_update(of=("self",)).filter(terms=pk).first()
    terms = Terms.objects.select_for_update(of=("self",)).select_related("owner").get(pk=pk)
    if not recalculate_dates(terms, today):
        return False
    terms.save()
    promote(terms)
    touch_areas(AREA)
    return True
