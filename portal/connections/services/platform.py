"""The platform as this portal is registered there: its addresses per region and its token endpoint."""

from collections.abc import Callable

from django.conf import settings

from portal.connections.http import http_session
from portal.connections.models import Region
from portal.connections.policy import Urgency
from portal.connections.services import alarms, budget
from portal.platform_api.errors import InvalidClient, RateLimited, RedirectRefused
from portal.platform_api.oauth import OAuthApplication

WAIT_AFTER_429 = 60.0
"""The platform documents no header with its 429; the buckets are of a minute (specification section 8)."""


def api_url(region: str) -> str:
    """Return the API host: one for all commercial regions, another for government (specification section 5)."""
    return settings.PLATFORM_GOV_API_URL if region == Region.GOV else settings.PLATFORM_API_URL


def app_url(region: str) -> str:
    """Return the browser-facing host of a region. Raises KeyError for one that is not configured."""
    return settings.PLATFORM_APP_URLS[region]


def issuers_of(region: str) -> tuple[str, ...]:
    """Return what the platform may call itself in a region (RFC 9207), as configured or as its addresses suggest."""
    configured = settings.PLATFORM_ISSUERS.get(region)
    return (configured,) if configured else (app_url(region), api_url(region))


def region_of_issuer(issuer: str) -> Region | None:
    """Return the region in which the platform calls itself so; None where it does so nowhere, or in more than one."""
    named = issuer.rstrip("/")
    found = [each for each in regions() if named in {one.rstrip("/") for one in issuers_of(each)}]
    return found[0] if len(found) == 1 else None


def regions() -> list[Region]:
    """Return the regions this portal is configured for."""
    return [region for region in Region if region in settings.PLATFORM_APP_URLS]


def application(region: str, *, client_id: str = "", client_secret: str = "") -> OAuthApplication:
    """Return an application at a region's API host: this portal's, or one of a tenant's own."""
    return OAuthApplication(
        api_url(region),
        client_id=client_id or settings.PLATFORM_CLIENT_ID,
        client_secret=client_secret if client_id else settings.PLATFORM_CLIENT_SECRET,
        session=http_session(),
    )


def call_token_endpoint[T](
    app: OAuthApplication, region: str, urgency: Urgency, call: Callable[[OAuthApplication], T], *, is_ours: bool = True
) -> T:
    """Make one call to the token endpoint within the shared budget. Raises BudgetSpent, or what the call raises.

    A 429 closes the endpoint for everybody; an answer that concerns the portal itself is told to its operator. `is_ours` is
    false for a tenant's own application, whose refusal is the tenant's matter alone.
    """
    url = api_url(region)
    counted = budget.take_call(url, urgency)
    try:
        answer = call(app)
    except RateLimited as error:
        budget.close(url, seconds=error.retry_after or WAIT_AFTER_429)
        raise
    except InvalidClient:
        if is_ours:
            alarms.raise_alarm(url, "client")
        raise
    except RedirectRefused:
        alarms.raise_alarm(url, "redirect")
        raise
    finally:
        budget.end_call(url, counted)
    if is_ours:
        alarms.clear(url)
    return answer
