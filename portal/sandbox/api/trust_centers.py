"""The Trust Center itself (platform-api 4.5.1), and the slug in front of everything that belongs to it."""

from portal.sandbox.api.errors import Refusal
from portal.sandbox.api.route import Answer, Call, Handler, Route
from portal.sandbox.store import Json

PATH = "/trust-centers/<slug_id>"


def in_trust_center(handler: Handler) -> Handler:
    """Answer only under the slug of the caller's tenant; every other slug is unknown to it."""

    def checked(call: Call) -> Answer:
        slug_id = call.ids["slug_id"]
        if slug_id != call.tenant.slug_id:
            raise Refusal(404, f"Trust Center with slug: {slug_id} not found")
        return handler(call)

    return checked


def read(call: Call) -> Json:
    return call.sandbox.objects.all(call.tenant.id, "trust-centers", limit=1)[0]


ROUTES = (Route(method="GET", path=PATH, handler=in_trust_center(read)),)
