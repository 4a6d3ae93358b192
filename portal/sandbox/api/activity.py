"""What visitors of the Trust Center did (platform-api 4.5.4)."""

from portal.sandbox.api.lists import any_of, compared, listing
from portal.sandbox.api.route import Route
from portal.sandbox.api.trust_centers import PATH as TRUST_CENTER
from portal.sandbox.api.trust_centers import in_trust_center

TYPES = ("PAGE_VIEW", "RESOURCE_DOWNLOAD", "RESOURCE_VIEW", "VIDEO_PLAY")
FILTERS = (
    any_of("eventTypesMatchesAny", "eventType", allowed=TYPES),
    compared("afterDate", "date", ">="),
    compared("beforeDate", "date", "<"),
)
ROUTES = (Route(method="GET", path=f"{TRUST_CENTER}/activity", handler=in_trust_center(listing("activity", filters=FILTERS))),)
