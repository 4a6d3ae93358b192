"""The Trust Center itself (platform-api 4.5.1)."""

from portal.sandbox.api.route import Call, Route
from portal.sandbox.kinds.trust_center import TRUST_CENTER
from portal.sandbox.store import Json

PATH = "/trust-centers/<slug_id>"


def read(call: Call) -> Json:
    return call.sandbox.objects.all(call.tenant.id, "trust-centers", limit=1)[0]


ROUTES = (Route("GET", PATH, read, answer=TRUST_CENTER),)
