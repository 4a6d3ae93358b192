"""Documents of the Trust Center (platform-api 4.5.5)."""

from portal.sandbox.api.handlers import reading
from portal.sandbox.api.lists import everything
from portal.sandbox.api.media import serving
from portal.sandbox.api.route import Route
from portal.sandbox.api.trust_center.settings import PATH as TRUST_CENTER

KIND = "resources"
ONE = f"{TRUST_CENTER}/resources/<resource_id>"
ROUTES = (
    Route("GET", f"{TRUST_CENTER}/resources", everything(KIND)),
    Route("GET", ONE, reading(KIND)),
    Route("GET", f"{ONE}/media", serving()),
)
