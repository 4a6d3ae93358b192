"""Reading back what the platform has accepted: many at once, since the list of decided requests has no search."""

from collections.abc import Iterable, Iterator
from itertools import islice

from django.db import transaction

from portal.access_requests.models import AccessRequest, Decision
from portal.access_requests.services.store import store_access_request
from portal.access_requests.services.verification import MAX_PAGES, FetchedRequest, refresh_request
from portal.connections.services import NotConnected, NoTrustCenter, Urgency, client_for, trust_center
from portal.platform_api.areas.trust_center import TrustCenter
from portal.platform_api.errors import PlatformError
from portal.platform_api.paging import pages


def confirm_accepted(decisions: Iterable[Decision]) -> None:
    """Store how the platform shows what it has accepted; what cannot be seen now is fetched one by one, soon."""
    wanted = {decision.access_request.platform_id for decision in decisions}
    if not wanted:
        return
    try:
        for found in _among_decided(trust_center(client_for(Urgency.PERSON)), wanted):
            with transaction.atomic():
                store_access_request(found)
    except (PlatformError, NotConnected, NoTrustCenter):
        pass
    for row in AccessRequest.objects.filter(platform_id__in=wanted, is_provisional=True):
        refresh_request(row)


def _among_decided(center: TrustCenter, access_request_ids: set[str]) -> Iterator[FetchedRequest]:
    wanted = set(access_request_ids)
    for page in islice(pages(center.historical_access_requests.all.page), MAX_PAGES):
        for found in page.items:
            if found.id in wanted:
                wanted.discard(found.id)
                yield FetchedRequest(found, is_open=False)
        if not wanted:
            return
