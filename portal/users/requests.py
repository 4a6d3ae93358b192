from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from portal.users.models import User


class SignedInRequest(HttpRequest):
    """A request of somebody who is signed in, which LoginRequiredMiddleware sees to."""

    user: User
    htmx: HtmxDetails
