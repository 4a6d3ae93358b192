"""What visitors of the Trust Center did (platform-api 4.5.4)."""

from portal.sandbox.api.filters import any_of, compared
from portal.sandbox.api.lists import listing
from portal.sandbox.api.route import Route
from portal.sandbox.api.trust_center.settings import PATH as TRUST_CENTER
from portal.sandbox.kinds.trust_center import ACTIVITY_TYPES

FILTERS = (
    any_of("eventTypesMatchesAny", "eventType", allowed=ACTIVITY_TYPES),
    compared("afterDate", "date", ">="),
    compared("beforeDate", "date", "<"),
)
ROUTES = (Route("GET", f"{TRUST_CENTER}/activity", listing("activity", filters=FILTERS)),)
