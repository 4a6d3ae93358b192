"""Asking the platform what became of a request: among the open ones by id, else among the decided ones, which have no get."""

from dataclasses import dataclass
from itertools import islice

from django.utils import timezone

from portal.access_requests.kinds import REQUEST
from portal.access_requests.models import ACTIVE, AccessRequest, Decision
from portal.platform_api import models as remote
from portal.platform_api.areas.trust_center import TrustCenter
from portal.platform_api.errors import NotFound, Party, TemporaryError, UnexpectedAnswer
from portal.platform_api.paging import pages
from portal.sync.freshness import fetch_now

MAX_PAGES = 30
"""Of decided requests, 100 each, that a look goes through: a minute has 50 calls (platform-api 1.5). A request decided before
all of those is left to the comparison of the whole list, which brings it back if this look was wrong."""


@dataclass(frozen=True)
class FetchedRequest:
    """A request and the list it was found in: the object itself carries no status (platform-api 4.5.2)."""

    remote: remote.AccessRequest
    is_open: bool


class StillOpen(TemporaryError):
    """Open there, although somebody here has just decided: the call may still be on its way. Look again when it cannot be."""

    party = Party.OPEN


def verify_outcome(center: TrustCenter, access_request_id: str) -> FetchedRequest:
    """Find a request wherever it is. Raises NotFound when the platform has it nowhere."""
    try:
        return FetchedRequest(center.access_requests.get(access_request_id), is_open=True)
    except NotFound:
        return FetchedRequest(_look_among_decided(center, access_request_id), is_open=False)


def _look_among_decided(center: TrustCenter, access_request_id: str) -> remote.AccessRequest:
    """Look through the decided requests. Raises UnexpectedAnswer where it may be one of them that cannot be read."""
    problem = ""
    for page in islice(pages(center.historical_access_requests.all.page), MAX_PAGES):
        for found in page.items:
            if found.id == access_request_id:
                return found
        # One that nobody can tell which it is keeps out none that stands behind it (guarantee Q14).
        problem = problem or next((each.problem for each in page.unread if each.id in ("", access_request_id)), "")
    if problem:
        raise UnexpectedAnswer("GET", "/trust-centers/{}/historical-access-requests", message=problem)
    raise NotFound("GET", "/trust-centers/{}/historical-access-requests", status=404, message="no such access request")


def check_before_retry(center: TrustCenter, access_request_id: str) -> FetchedRequest:
    """Find a request for the mirror. Raises StillOpen while "open" says nothing yet about a decision just made here."""
    found = verify_outcome(center, access_request_id)
    made = Decision.objects.filter(access_request__platform_id=access_request_id, state__in=ACTIVE).first()
    if found.is_open and made and made.is_recent(timezone.now()):
        wait = made.unanswered_until - timezone.now()
        raise StillOpen("GET", "/trust-centers/{}/access-requests/{}", retry_after=wait.total_seconds())
    return found


def refresh_request(access_request: AccessRequest) -> None:
    """Have a request fetched now: somebody waits for the truth about it."""
    fetch_now((REQUEST, access_request.platform_id))
