"""What only the operator of the portal can mend: told once and loudly, not once per tenant."""

import logging
from datetime import timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.crypto import salted_hmac

from portal.connections.models import TokenEndpoint
from portal.lib.throttle import claim_notification

logger = logging.getLogger(__name__)

BETWEEN_ALARMS = timedelta(hours=1)
BETWEEN_TRIES = timedelta(minutes=5)
"""While the platform refuses the portal itself, calls would only use the budget up."""

BETWEEN_BUSY_ALARMS = timedelta(days=1)
REMEDY = "have fewer kinds of events fetched, or register a second application; tuning does not help"

TROUBLES = {
    "client": "The platform refuses this portal's PLATFORM_CLIENT_ID or PLATFORM_CLIENT_SECRET. No token can be had.",
    "redirect": "The configured API address of the platform answers with a redirect. Set the API host itself.",
}
WORDS = {
    "client": "The platform does not accept this portal's registration at the moment.",
    "redirect": "This portal's address of the platform is wrong.",
}
"""The same for people of a tenant, who can do nothing about it."""


def raise_alarm(url: str, trouble: str) -> None:
    """Note what the endpoint refuses the portal for, and tell the operator unless that was done within the hour."""
    now = timezone.now()
    endpoint, _ = TokenEndpoint.objects.get_or_create(url=url)
    values: dict[str, object] = {"trouble": trouble, "credentials": fingerprint(), "trouble_since": now}
    if endpoint.trouble == trouble and endpoint.credentials == values["credentials"]:
        del values["trouble_since"]
    TokenEndpoint.objects.filter(pk=endpoint.pk).update(**values)
    if claim_notification(TokenEndpoint.objects.filter(pk=endpoint.pk), "trouble_told_at", again_after=BETWEEN_ALARMS):
        logger.critical("%s (token endpoint of %s)", TROUBLES[trouble], url)


def clear(url: str) -> None:
    """The endpoint takes the portal's calls again."""
    cleared = TokenEndpoint.objects.filter(url=url).exclude(trouble="")
    if cleared.update(trouble="", trouble_since=None, trouble_told_at=None):
        logger.warning("the token endpoint of %s takes this portal's calls again", url)


def tell_if_busy(url: str, *, percent_of_a_day: int) -> None:
    """Tell the operator, once a day, that the token budget is nearly used up: no scheduling helps past it."""
    if claim_notification(TokenEndpoint.objects.filter(url=url), "busy_told_at", again_after=BETWEEN_BUSY_ALARMS):
        logger.error("%s %% of a day's calls to the token endpoint of %s were used: %s", percent_of_a_day, url, REMEDY)


def trouble_of(url: str) -> str:
    """Return what the portal is refused for with the credentials it has now; empty when nothing is known."""
    endpoint = TokenEndpoint.objects.filter(url=url).first()
    return endpoint.trouble if endpoint and endpoint.credentials == fingerprint() else ""


def fingerprint() -> str:
    """Tell credentials apart without keeping them."""
    credentials = f"{settings.PLATFORM_CLIENT_ID}:{settings.PLATFORM_CLIENT_SECRET}"
    return salted_hmac("portal.connections", credentials, algorithm="sha256").hexdigest()
