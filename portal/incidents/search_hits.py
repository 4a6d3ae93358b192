"""The incidents that a search over all desks finds."""

from collections.abc import Iterator

from django.urls import reverse

from portal.incidents.filters import NEWEST
from portal.incidents.models import Incident
from portal.saved_views.found import Found


def find_incidents(words: str, slug: str, most: int) -> Iterator[Found]:
    """Give those with the words, what was noticed last first."""
    for row in Incident.objects.matching(words).order_by(*NEWEST)[:most]:
        yield Found(str(row), "Open" if row.is_open else "Closed", reverse("incidents:plan", args=[slug, row.pk]))
