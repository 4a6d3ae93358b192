"""Documents of the Trust Center (platform-api 4.5.5)."""

from flask import Response

from portal.sandbox import files
from portal.sandbox.api.lists import reading
from portal.sandbox.api.route import Call, Route
from portal.sandbox.api.trust_centers import PATH as TRUST_CENTER
from portal.sandbox.api.trust_centers import in_trust_center
from portal.sandbox.store import Json

KIND = "resources"


def read_all(call: Call) -> Json:
    """Answer all resources; this list has no pages (platform-api 1.3)."""
    return {"results": call.sandbox.objects.all(call.tenant.id, KIND)}


def media(call: Call) -> Response:
    resource = call.sandbox.objects.get(call.tenant.id, KIND, call.ids["resource_id"])
    return Response(files.pdf(resource["title"]), mimetype=resource["mimeType"])


ONE = f"{TRUST_CENTER}/resources/<resource_id>"
ROUTES = (
    Route(method="GET", path=f"{TRUST_CENTER}/resources", handler=in_trust_center(read_all)),
    Route(method="GET", path=ONE, handler=in_trust_center(reading(KIND, by="resource_id"))),
    Route(method="GET", path=f"{ONE}/media", handler=in_trust_center(media)),
)
