"""A tenant's addresses and the secrets that the platform signs with."""

import secrets
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from portal.audit.services import record
from portal.inbox.models import OUR_EVENT_TYPES, Endpoint
from portal.lib.sealed import Locked
from portal.page_refresh.services import touch_areas
from portal.platform_api.webhooks import is_signing_secret
from portal.users.models import User

KEPT = timedelta(days=1)
"""How long the secret before the current one is accepted, unless the person says otherwise."""
MIN_SECRET = len("whsec_") + 32
"""24 bytes in base64, the least that the Standard Webhooks rules allow."""
EVENT_TYPES = ("", *OUR_EVENT_TYPES)


class InvalidSecret(ValueError):
    """This is not a signing secret. The message never holds it."""


def ensure_endpoints() -> list[Endpoint]:
    """Return the addresses of the tenant in scope, the one for all events first; missing ones are made."""
    endpoints = list(Endpoint.objects.all())
    missing = set(EVENT_TYPES) - {endpoint.event_type for endpoint in endpoints}
    if missing:
        rows = [Endpoint(event_type=event_type) for event_type in sorted(missing)]
        # Two first visits at once: the unique constraint keeps one row of each.
        Endpoint.objects.bulk_create(rows, ignore_conflicts=True)
        endpoints = list(Endpoint.objects.all())
    order = {event_type: place for place, event_type in enumerate(EVENT_TYPES)}
    return sorted(endpoints, key=lambda endpoint: order.get(endpoint.event_type, len(order)))


def check_secret(secret: str) -> str:
    """Return the secret without blanks around it. Raises InvalidSecret."""
    secret = secret.strip()
    if len(secret) < MIN_SECRET or not is_signing_secret(secret):
        raise InvalidSecret("A signing secret starts with whsec_, followed by base64.")
    return secret


@transaction.atomic
def enter_secret(endpoint: Endpoint, secret: str, *, actor: User | None, keep_previous: timedelta = KEPT) -> Endpoint:
    """Enter or replace an address's secret. The one before it stays valid for a while: the platform may still sign with it."""
    secret = check_secret(secret)
    locked = Endpoint.objects.select_for_update().get(pk=endpoint.pk)
    current = _current(locked)
    now = timezone.now()
    if current is not None and secrets.compare_digest(current, secret):
        return locked
    if current:
        # Sealed even when it ends at once: what is signed with it from now on is worth an alarm.
        locked.previous_secret = locked.seal("previous_secret", current)
        locked.previous_until = now + keep_previous
    else:
        locked.previous_secret, locked.previous_until = b"", None
    is_replaced = locked.has_secret
    locked.secret = locked.seal("secret", secret)
    locked.secret_entered_at, locked.confirmed_at = now, None
    locked.late_count, locked.late_at, locked.late_told_at = 0, None, None
    locked.save()
    record(
        "endpoint.replace_secret" if is_replaced else "endpoint.enter_secret",
        target=("endpoint", str(locked.pk)),
        summary=f"{'Replaced' if is_replaced else 'Entered'} the signing secret of “{locked}”.",
        actor=actor,
    )
    touch_areas("inbox")
    return locked


def _current(endpoint: Endpoint) -> str | None:
    """Return the present secret; None when there is none, or no key opens it any more and it is worth nothing."""
    try:
        return endpoint.open("secret") if endpoint.secret else None
    except Locked:
        return None
