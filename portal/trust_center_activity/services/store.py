"""What the platform says of activity becomes rows and sums. Runs in the caller's transaction."""

from hashlib import sha256
from typing import Any

from django.utils import timezone

from portal.lib.storable import storable
from portal.platform_api import models as remote
from portal.platform_api.identifiers import reference
from portal.tenants.erased_people import is_erased
from portal.tenants.personal_data import fold
from portal.trust_center_activity.models import Activity, Subject
from portal.trust_center_activity.normalization import domain_of
from portal.trust_center_activity.services.sums import count

LONG, ADDRESS = 300, 320
MAX_KEY_LENGTH = 220
PAGES = {
    "COMPLIANCE": "Compliance page",
    "CONTROLS": "Controls page",
    "FAQ": "Questions page",
    "MEDIA": "Media page",
    "OVERVIEW": "Overview page",
    "RESOURCES": "Documents page",
    "SUBPROCESSORS": "Subprocessors page",
    "UPDATES": "Updates page",
}
"""An open set: others are shown as they came (platform-api 4.5.4)."""


def store_activity(fetched: remote.Activity) -> bool:
    """Store one entry and count it, unless it is here; True when it is new. What is here is never changed."""
    found = remote.Activity.read(storable(fetched.raw))
    platform_id = found.id
    if Activity.objects.filter(platform_id=platform_id).exists():
        return False
    email = (found.viewer_email or "").strip()[:ADDRESS]
    if is_erased(email=email, viewer_id=found.viewer_id or "", created_at=found.date):
        return False
    key, title = subject_of(found.details)
    row = Activity.objects.create(
        platform_id=platform_id,
        # Without a date it happened some time before it was seen here.
        at=found.date or timezone.now(),
        event_type=(found.event_type or "")[:40],
        subject=key,
        viewer_id=reference(found.viewer_id),
        email=email,
        folded_email=fold(email)[:ADDRESS],
        domain=domain_of(email)[:ADDRESS],
        city=(found.city or "")[:100],
        country=(found.country_code or "").strip().upper()[:10],
        payload=found.raw,
    )
    if title:
        _name(key, title)
    count([row])
    return True


def subject_of(details: dict[str, Any] | None) -> tuple[str, str]:
    """Return the key and the title of what was looked at; empty texts where nothing says so."""
    match details or {}:
        case {"resourceId": str(resource_id), **rest} if resource_id:
            return _key("resource", resource_id), str(rest.get("resourceName") or "")[:LONG]
        case {"page": str(page)} if page:
            return _key("page", page), PAGES.get(page, page)[:LONG]
        case {"videoTitle": str(title)} if title:
            return _key("video", title), title[:LONG]
    return "", ""


def _key(kind: str, name: str) -> str:
    """Name a subject so that it stays itself: a name that was cut off would be another's."""
    key = f"{kind}:{name}"
    return key if len(key) <= MAX_KEY_LENGTH else f"{kind}:{sha256(name.encode()).hexdigest()}"


def _name(key: str, title: str) -> None:
    """Keep what the subject is called; a document may be renamed."""
    if not Subject.objects.filter(key=key).exclude(title=title).update(title=title):
        Subject.objects.get_or_create(key=key, defaults={"title": title})
