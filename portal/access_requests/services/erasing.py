"""The desk's copies of a person: found and erased when a deletion request asks for it."""

from portal.access_requests.models import AccessRequest, AccessRequestQuerySet, Viewer, ViewerQuerySet
from portal.access_requests.services.settling import AREA
from portal.live.services import changed
from portal.tenants.personal_data import each_once, register_holding


def erase(rows: AccessRequestQuerySet | ViewerQuerySet) -> None:
    """Delete them, with the decisions about them and the changes to them. Nothing about the person is kept anywhere else."""
    rows.delete()
    changed(AREA)


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
    )
