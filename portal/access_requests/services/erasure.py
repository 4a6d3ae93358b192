"""The desk's copies of a person: found and erased when a deletion request asks for it."""

from collections.abc import Iterable
from functools import partial

from django.db.models import Q

from portal.access_requests.models import AccessRequest, AccessRequestQuerySet, Viewer, ViewerQuerySet
from portal.access_requests.services.outcomes import AREA
from portal.page_refresh.services import touch_areas
from portal.tenants.payloads import Payloads, register_payloads
from portal.tenants.personal_data import each_once, fold, register_holding


def erase(rows: AccessRequestQuerySet | ViewerQuerySet) -> None:
    """Delete them, with the decisions about them and the changes to them. Nothing about the person is kept anywhere else."""
    rows.delete()
    touch_areas(AREA)


def viewer_ids(email: str) -> Iterable[str]:
    """Return the platform's ids of a person as a viewer."""
    yield from Viewer.objects.of_person(email).values_list("platform_id", flat=True)
    yield from AccessRequest.objects.of_person(email).values_list("viewer_id", flat=True)


def register_personal_data() -> None:
    register_holding(
        "Access requests",
        rows=lambda email: AccessRequest.objects.of_person(email),
        erase=erase,
        addresses=lambda: each_once(AccessRequest.objects.all()),
    )
    register_holding(
        "Viewers",
        rows=lambda email: Viewer.objects.of_person(email),
        erase=erase,
        addresses=lambda: each_once(Viewer.objects.all()),
        viewer_ids=viewer_ids,
    )
    added = Payloads(kind=Viewer, changed=partial(touch_areas, AREA), own=lambda email: Q(folded_email=fold(email)))
    register_payloads("People who added viewers", added)
