"""What the platform sent becomes rows. Runs in the caller's transaction."""

from collections.abc import Iterable
from datetime import UTC, date, timedelta
from typing import Any

from django.utils import timezone

from portal.documents.models import FAR, AccountUser, Document, Upload
from portal.documents.models.choices import IRRELEVANT, REMINDER_DAYS, USUAL_REMINDER_DAYS
from portal.documents.models.documents import MAX_NAME_LENGTH, MAX_URL_LENGTH, MAX_WORD_LENGTH
from portal.documents.models.users import MAX_EMAIL_LENGTH
from portal.lib.storable import storable
from portal.platform_api.identifiers import reference
from portal.platform_api.models.customer_trust import User
from portal.platform_api.models.documents import Document as RemoteDocument
from portal.sync.copies import search_text, sort_key, store_copy
from portal.tenants.erased_people import is_erased, without_erased
from portal.tenants.personal_data import fold

MAX_TEXT_LENGTH = 50_000
LISTED = ("id", "ownerId", "category", "description", "isSensitive", "title", "uploadStatus", "uploadStatusDate", "url")
ONLY_DETAILED = frozenset(("deactivatedStatus", "note", "nextRenewalDate", "renewalCadence", "reminderWindow", "subscribers"))
"""What lists name of a document, and what they leave out (platform-api 4.11)."""
NAMES_HOLD = timedelta(days=7)


def store_document(fetched: RemoteDocument, *, is_whole: bool = False) -> bool:
    """Make the row equal to what was fetched; True when it changed. An item of a list leaves the details as they are.

    `is_whole`: it was asked for by itself, and details that it does not name are not there.
    """
    (sent,) = without_erased([storable(fetched.raw)])
    row, details = Document.objects.filter(platform_id=fetched.id).first(), dict[str, Any]()
    # A list may name what it leaves out, and leave it empty.
    is_whole = is_whole or any(sent.get(key) for key in ONLY_DETAILED)
    if is_whole:
        details = {"are_details_old": False}
    elif row is None or row.gone_at or any(row.payload.get(key) != sent.get(key) for key in LISTED):
        details = {"are_details_old": True}
    if row and not is_whole:
        listed = {key: value for key, value in sent.items() if key not in ONLY_DETAILED}
        sent = {key: value for key, value in row.payload.items() if key not in LISTED} | listed
    found = RemoteDocument.read(sent)
    is_changed = store_copy(Document, found.id, columns_of(found) | details)
    if is_whole:
        Document.objects.filter(platform_id=found.id).update(details_read_at=timezone.now())
    # Until they were read once, a page says that they were not.
    return is_changed or (is_whole and row is not None and row.details_read_at is None)


def columns_of(found: RemoteDocument) -> dict[str, Any]:
    title, description = found.title[:MAX_NAME_LENGTH], (found.description or "")[:MAX_TEXT_LENGTH]
    category, status = (found.category or "")[:MAX_WORD_LENGTH], found.upload_status[:MAX_WORD_LENGTH]
    is_deactivated = bool((found.deactivated_status or {}).get("isDeactivated"))
    is_idle = is_deactivated or status == IRRELEVANT
    renew_on = found.next_renewal_date.astimezone(UTC).date() if found.next_renewal_date and not is_idle else FAR
    owner_id = reference(found.owner_id)
    return {
        "title": title,
        "title_sort": sort_key(title),
        "description": description,
        "category": category,
        "status": status,
        "status_changed_at": found.upload_status_date,
        "owner_id": owner_id,
        "owner_name": name_of(owner_id),
        "is_sensitive": found.is_sensitive,
        "is_deactivated": is_deactivated,
        "renew_on": renew_on,
        "remind_on": reminder_day(renew_on, found.reminder_window),
        "cadence": (found.renewal_cadence or "")[:MAX_WORD_LENGTH],
        "url": (found.url or "")[:MAX_URL_LENGTH],
        "search": search_text(title, category, description),
        "payload": found.raw,
    }


def reminder_day(renew_on: date, window: str | None) -> date:
    """Return from which day on a document is to be renewed; FAR for one that never is."""
    if renew_on == FAR:
        return FAR
    days = REMINDER_DAYS.get(window or "", USUAL_REMINDER_DAYS)
    return renew_on - timedelta(days=min(days, (renew_on - date.min).days))


def name_of(user_id: str) -> str:
    """Return what a user of the account is called; empty where that is not known here."""
    if not user_id:
        return ""
    return AccountUser.objects.filter(platform_id=user_id).values_list("name", flat=True).first() or ""


def whose_names_are_old(ids: Iterable[str | None]) -> list[str]:
    """Say of which users the name has to be fetched. Locks nothing."""
    wanted = {each for each in map(reference, ids) if each}
    since = timezone.now() - NAMES_HOLD
    known = AccountUser.objects.filter(platform_id__in=wanted, read_at__gte=since).values_list("platform_id", flat=True)
    return sorted(wanted - set(known))


def store_user(fetched: User) -> bool:
    """Keep what a user is called; True when a page says something else now. One who was erased has no name (guarantee S11)."""
    found = User.read(storable(fetched.raw))
    # The platform does not say since when it knows somebody: who was erased stays so.
    if is_erased(email=found.email, created_at=None):
        return _keep_name(found.id, name="", email="")
    return _keep_name(found.id, name=(found.display_name or found.email)[:MAX_NAME_LENGTH], email=found.email)


def store_user_gone(user_id: str) -> bool:
    """The platform has no such user any more: its documents go on naming it."""
    return _keep_name(user_id, name="", email="")


def _keep_name(user_id: str, *, name: str, email: str) -> bool:
    values = {"name": name, "folded_email": fold(email)[:MAX_EMAIL_LENGTH], "read_at": timezone.now()}
    AccountUser.objects.update_or_create(platform_id=user_id, defaults=values)
    number = Document.objects.filter(owner_id=user_id).exclude(owner_name=name).update(owner_name=name)
    number += Upload.objects.filter(uploader_id=user_id).exclude(uploader_name=name).update(uploader_name=name)
    return bool(number)
