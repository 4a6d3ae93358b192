"""The deletion requests that a search over all desks finds."""

from collections.abc import Iterator

from django.urls import reverse

from portal.deletion_requests.addresses import fingerprint
from portal.deletion_requests.filters import NEWEST
from portal.deletion_requests.models import DeletionRequest
from portal.platform_api.errors import EMAIL
from portal.saved_views.found import Found


def find_deletion_requests(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give those with the words, or about the address that was typed in full, the newest first."""
    rows = DeletionRequest.objects.first_matching(words, *NEWEST)
    if EMAIL.fullmatch(words.strip()):
        # The ledger keeps no address, only what one can be known again by.
        rows = DeletionRequest.objects.filter(email_hash=fingerprint(words)).order_by(*NEWEST)
    for row in rows.defer("search")[:most]:
        note = f"{row.reference} \N{MIDDLE DOT} {row.get_state_display()}"
        yield Found(str(row), note, reverse("deletion_requests:detail", args=[slug, row.reference]))
