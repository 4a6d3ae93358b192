"""The desk's copies of a person: counted and erased when a deletion request asks for it."""

from portal.access_requests.models import AccessRequest, AccessRequestQuerySet, Viewer, ViewerQuerySet
from portal.access_requests.services.settling import AREA
from portal.live.services import changed
from portal.tenants.personal_data import register_holding


def count_requests(email: str) -> int:
    return AccessRequest.objects.of_person(email).count()


def erase_requests(email: str) -> int:
    """Delete a person's requests, with the decisions about them. Nothing about the person is kept anywhere else."""
    return _erase(AccessRequest.objects.of_person(email))


def count_viewers(email: str) -> int:
    return Viewer.objects.of_person(email).count()


def erase_viewers(email: str) -> int:
    return _erase(Viewer.objects.of_person(email))


def _erase(rows: AccessRequestQuerySet | ViewerQuerySet) -> int:
    number = rows.count()
    rows.delete()
    if number:
        changed(AREA)
    return number


def register_personal_data() -> None:
    register_holding("Access requests", count=count_requests, erase=erase_requests)
    register_holding("Viewers", count=count_viewers, erase=erase_viewers)
