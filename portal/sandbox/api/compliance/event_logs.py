"""The event log (platform-api 4.12)."""

from portal.sandbox.api.filters import compared
from portal.sandbox.api.lists import listing
from portal.sandbox.api.route import Route

ROUTES = (Route("GET", "/event-logs", listing("event-logs", filters=[compared("startDate", "date", ">=")])),)
