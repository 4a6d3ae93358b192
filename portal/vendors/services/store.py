"""What the platform sent of vendors becomes rows. Runs in the caller's transaction."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone

from portal.platform_api.identifiers import reference
from portal.platform_api.models import vendors as remote
from portal.sync.copies import search_text, sort_key, store_copy
from portal.vendors.models import NO_DATE, Decision, Vendor
from portal.vendors.models.choices import risk_rank
from portal.vendors.models.vendors import MAX_NAME_LENGTH, MAX_WORD_LENGTH
from portal.vendors.services.payloads import cleaned

MAX_SEARCHED_LENGTH, MAX_COMMENTS_LENGTH = 5000, 20_000
DECISION = "latestDecision"


def store_vendor(fetched: remote.Vendor) -> bool:
    """Make the row equal to what was fetched; True when it changed."""
    found = remote.Vendor.read(cleaned(fetched.raw))
    columns = vendor_columns(found) | {"is_provisional": False}
    if DECISION in found.raw:
        decision = found.latest_decision
        columns["decision_status"] = decision.status[:MAX_WORD_LENGTH] if decision else ""
        columns["decided_at"] = decision.last_updated_at if decision else None
    is_changed = store_copy(Vendor, found.id, columns)
    return _confirm_decision(found) or is_changed


def vendor_columns(found: remote.Vendor) -> dict[str, Any]:
    """Return what a row repeats of a vendor, but for the decision: an event may have told that."""
    name = found.name[:MAX_NAME_LENGTH]
    category = category_of(found)
    risk = (found.inherent_risk_level or "")[:MAX_WORD_LENGTH]
    return {
        "name": name,
        "name_sort": sort_key(name),
        "status": found.status[:MAX_WORD_LENGTH],
        "category": category,
        "inherent_risk": risk,
        "residual_risk": (found.residual_risk_level or "")[:MAX_WORD_LENGTH],
        "risk_sort": risk_rank(risk),
        "review_due_at": found.next_security_review_due_date,
        "review_due_sort": found.next_security_review_due_date or NO_DATE,
        "security_owner_id": reference(found.security_owner_user_id),
        "business_owner_id": reference(found.business_owner_user_id),
        "search": search_text(name, category, (found.services_provided or "")[:MAX_SEARCHED_LENGTH]),
        "payload": found.raw,
    }


def category_of(found: remote.Vendor) -> str:
    said = (found.category or {}).get("displayName")
    return said[:MAX_NAME_LENGTH] if isinstance(said, str) else ""


def _confirm_decision(found: remote.Vendor) -> bool:
    """Write down that the platform itself shows a decision; True when that is new."""
    decision = found.latest_decision
    if decision is None:
        return False
    row = Vendor.objects.only("pk").get(platform_id=found.id)
    said = {"vendor": row, "status": decision.status[:MAX_WORD_LENGTH], "decided_at": decision.last_updated_at}
    known = Decision.objects.filter(**said).first()
    if known is None:
        Decision.objects.create(**said, confirmed_at=timezone.now())
        return True
    if known.confirmed_at is None:
        Decision.objects.filter(pk=known.pk).update(confirmed_at=timezone.now())
    return known.confirmed_at is None


def tell_decision(vendor: Vendor, *, status: str, decided_at: datetime | None, comments: str) -> bool:
    """Write down a decision that an event told, and show it until the vendor is fetched; True when that is news.

    An older event may arrive last: it is written down too, and what is newer stays shown. The caller holds the row.
    """
    status, comments = status[:MAX_WORD_LENGTH], cleaned(comments)[:MAX_COMMENTS_LENGTH]
    said = {"vendor": vendor, "status": status, "decided_at": decided_at}
    known = Decision.objects.filter(**said).first()
    if known and known.told_at:
        return False
    if known:
        Decision.objects.filter(pk=known.pk).update(told_at=timezone.now(), comments=comments)
    else:
        Decision.objects.create(**said, comments=comments, told_at=timezone.now())
    is_latest = vendor.decided_at is None or decided_at is None or decided_at >= vendor.decided_at
    if is_latest and (status, decided_at) != (vendor.decision_status, vendor.decided_at):
        shown = {"decision_status": status, "decided_at": decided_at or vendor.decided_at, "is_provisional": True}
        Vendor.objects.filter(pk=vendor.pk).update(**shown)
    return True


def ids_named(fetched: Sequence[remote.Vendor]) -> tuple[set[str], set[str]]:
    """Return the ids of owners and of risk attributes that vendors name; what can be no id is left out."""
    owners = {reference(each) for one in fetched for each in (one.security_owner_user_id, one.business_owner_user_id)}
    attributes = {reference(each) for one in fetched for each in one.risk_attribute_ids}
    return owners - {""}, attributes - {""}
