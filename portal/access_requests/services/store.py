"""What the platform sent becomes rows. Runs in the caller's transaction."""

from datetime import datetime
from typing import Any

from django.utils import timezone

from portal.access_requests.models import (
    NEVER,
    AccessRequest,
    AccessRequestQuerySet,
    DecisionState,
    Outcome,
    Viewer,
    ViewerQuerySet,
    domain_of,
)
from portal.access_requests.services.outcomes import record_observed_outcome
from portal.access_requests.services.verification import FetchedRequest
from portal.lib.storable import storable
from portal.platform_api import models as remote
from portal.platform_api.identifiers import is_identifier, reference
from portal.sync.ages import is_older
from portal.tenants.erased_people import is_erased, without_erased, without_mentions
from portal.tenants.personal_data import fold

LONG, ADDRESS = 300, 320


def store_access_request(fetched: FetchedRequest) -> bool:
    """Make the row equal to what was fetched; True when it changed. What is older than the row is left out (guarantee Q11)."""
    found = remote.AccessRequest.read(storable(fetched.remote.raw))
    if is_erased(email=found.email, created_at=found.creation_date):
        return _leave_out(AccessRequest.objects.filter(platform_id=found.id))
    # The reason may name somebody who was erased.
    found = remote.AccessRequest.read(without_mentions(found.raw, besides=found.email))
    row = AccessRequest.objects.select_for_update().filter(platform_id=found.id).first()
    columns = request_columns(found, is_open=fetched.is_open) | dates(found, row)
    if row is None:
        AccessRequest.objects.create(platform_id=found.id, **columns)
        return True
    if _is_outdated(row, found, is_open=fetched.is_open):
        return False
    was_settled = row.is_settled
    has_changed = _write(row, columns | {"is_provisional": False, "gone_at": None})
    return record_observed_outcome(row, was_settled=was_settled) or has_changed


def _is_outdated(row: AccessRequest, found: remote.AccessRequest, *, is_open: bool) -> bool:
    """Say whether what was fetched tells of an earlier time than the row does."""
    if is_older(found.updated_date, row):
        return True
    if not is_open or row.is_pending:
        return False
    # Nothing reopens a request (platform-api 4.5.2): at the same age the open list is the older of the two. And what our own
    # call has just decided may take a moment to show.
    is_ours = any(decision.is_recent(timezone.now()) for decision in row.decisions.filter(state=DecisionState.DONE))
    return found.updated_date in (None, row.updated_at) and (not row.is_provisional or is_ours)


def request_columns(found: remote.AccessRequest, *, is_open: bool) -> dict[str, Any]:
    return {
        **person_columns(found.email, found.name, found.company_name),
        "reason": found.reason,
        "requested_resources": _documents(found.requested_resources),
        "access_level": found.access_level[:40],
        "outcome": Outcome.PENDING.value if is_open else (found.outcome or "")[:40],
        "denial_reason": found.manual_denial_reason or "",
        "payload": found.raw,
    }


def store_viewer(fetched: remote.Viewer) -> bool:
    """Make the row equal to what was fetched; True when it changed."""
    found = remote.Viewer.read(storable(fetched.raw))
    if is_erased(email=found.email, viewer_id=found.id, created_at=found.creation_date):
        return _leave_out(Viewer.objects.filter(platform_id=found.id))
    # Who has added the viewer may have been erased, too.
    found = remote.Viewer.read(*without_erased([found.raw]))
    row = Viewer.objects.select_for_update().filter(platform_id=found.id).first()
    if row is None:
        Viewer.objects.create(platform_id=found.id, **viewer_columns(found), **dates(found, None))
        return True
    if is_older(found.updated_date, row):
        return False
    columns = viewer_columns(found) | dates(found, row) | {"gone_at": None}
    if (row.account_id, row.domain) != (columns["account_id"], columns["domain"]):
        # What was looked up about the account was about another one.
        columns |= {"checked_at": None, "contract": "", "other_domain": ""}
    return _write(row, columns)


def _leave_out(rows: AccessRequestQuerySet | ViewerQuerySet) -> bool:
    """Store nothing of an erased person, also where a copy was on its way while the rest was erased; True when it was there."""
    number, _ = rows.delete()
    return bool(number)


def remove_viewer(platform_id: str) -> bool:
    """Note that access was taken away; the row stays, so that it can be said later who had it. True when that is news."""
    row = Viewer.objects.select_for_update().present().filter(platform_id=platform_id).first()
    if row is None:
        return False
    row.gone_at = timezone.now()
    row.expires_sort = min(row.expires_sort, row.gone_at)
    row.save(update_fields=["gone_at", "expires_sort"])
    return True


def viewer_columns(found: remote.Viewer) -> dict[str, Any]:
    nda = found.nda_info
    return {
        **person_columns(found.email, found.name or "", found.company_name or ""),
        "access_level": found.access_level[:40],
        "resource_ids": _documents(found.resource_ids),
        "nda_provider": nda.provider[:40] if nda else "",
        "nda_satisfied_at": nda.satisfied_date if nda else None,
        "expires_at": found.expiration_date,
        "expires_sort": found.expiration_date or NEVER,
        "account_id": reference(found.customer_trust_account_id),
        "payload": found.raw,
    }


def _documents(resource_ids: list[str] | None) -> list[str] | None:
    """Return the ids of documents, each once. None stands for all of them."""
    return None if resource_ids is None else list(dict.fromkeys(filter(is_identifier, resource_ids)))


def dates(found: remote.AccessRequest | remote.Viewer, row: AccessRequest | Viewer | None) -> dict[str, datetime]:
    """Return when it came and changed: what the platform leaves out stays as it was, or is when we first saw it."""
    return {
        "created_at": found.creation_date or (row.created_at if row else timezone.now()),
        "updated_at": found.updated_date or (row.updated_at if row else timezone.now()),
    }


def person_columns(email: str, name: str, company: str) -> dict[str, str]:
    return {
        "email": email[:ADDRESS],
        "folded_email": fold(email)[:ADDRESS],
        "name": name[:LONG],
        "company": company[:LONG],
        "domain": domain_of(email)[:ADDRESS],
        "search": " ".join([name, email, company]).casefold(),
    }


def _write(row: AccessRequest | Viewer, columns: dict[str, Any]) -> bool:
    """Save what differs; a row that is equal is not touched, so that open pages stay as they are."""
    different = {name: value for name, value in columns.items() if getattr(row, name) != value}
    if not different:
        return False
    if isinstance(row, AccessRequest):
        different["touched_at"] = timezone.now()
    for name, value in different.items():
        setattr(row, name, value)
    row.save(update_fields=list(different))
    return True
