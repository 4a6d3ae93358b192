"""The platform as this portal is registered there: its addresses per region and its token endpoint."""

from collections.abc import Callable

from django.conf import settings

from portal.connections.http import http_session
from portal.connections.models import Region
from portal.connections.services import budget
from portal.platform_api.errors import RateLimited
from portal.platform_api.oauth import OAuthApplication

WAIT_AFTER_429 = 60.0
"""The platform documents no header with its 429; the buckets are of a minute (specification section 8)."""


def api_url(region: str) -> str:
    """Return the API host: one for all commercial regions, another for government (specification section 5)."""
    return settings.PLATFORM_GOV_API_URL if region == Region.GOV else settings.PLATFORM_API_URL


def app_url(region: str) -> str:
    """Return the browser-facing host of a region. Raises KeyError for one that is not configured."""
    return settings.PLATFORM_APP_URLS[region]


def regions() -> list[Region]:
    """Return the regions this portal is configured for."""
    return [region for region in Region if region in settings.PLATFORM_APP_URLS]


def application(region: str) -> OAuthApplication:
    """Return this portal's application at a region's API host."""
    return OAuthApplication(
        api_url(region),
        client_id=settings.PLATFORM_CLIENT_ID,
        client_secret=settings.PLATFORM_CLIENT_SECRET,
        session=http_session(),
    )


def call_token_endpoint[T](region: str, call: Callable[[OAuthApplication], T]) -> T:
    """Make one call to the token endpoint within the shared budget. Raises BudgetSpent, or what the call raises."""
    budget.take_call(api_url(region))
    try:
        return call(application(region))
    except RateLimited as error:
        budget.close(api_url(region), seconds=error.retry_after or WAIT_AFTER_429)
        raise
