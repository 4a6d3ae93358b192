"""The deletion requests as work: the open ones by the legal clock of each, and those whose person was found again."""

from collections.abc import Iterable
from functools import partial

from django.urls import reverse

from portal.calendars.models import OfficeHours
from portal.calendars.selectors import end_of_days
from portal.deletion_requests.models import DeletionRequest, State
from portal.tenants.models import Role
from portal.work_items.kinds import EVERY, Item, Kind, Searched, Source, register_kind

TO_DO = {
    State.RECEIVED.value: "Check the identity and decide",
    State.REFUSED.value: "Refused: send again or close",
    State.UNCERTAIN.value: "Uncertain, being checked on the platform",
}
FOUND_AGAIN = "Found again after erasure: send a new request"
"""True where the platform still lists the person, and where rows came back here and it could not be asked."""
ON_THEIR_WAY = (State.SENDING, State.WAITING, State.CONFIRMED, State.UNCERTAIN)
"""The portal goes on with these by itself."""


def build(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of those requests that are open, and of those erased in vain, whose clock has stopped."""
    rows = list(DeletionRequest.objects.unfinished().filter(pk__in=list(ids)).defer("email"))
    end_of = end_of_days({row.tenant_id for row in rows})
    return {
        row.pk: Item(
            title=str(row),
            to_do=TO_DO.get(row.state, row.get_state_display()) if row.is_open else FOUND_AGAIN,
            url=partial(_url, row.reference),
            customer=row.reference,
            due_at=end_of(row.tenant_id, row.deadline_on) if row.is_open else None,
            is_with_others=row.state in ON_THEIR_WAY,
            role=Role.APPROVER,
        )
        for row in rows
    }


def _url(reference: str, slug: str) -> str:
    return reverse("deletion_requests:detail", args=[slug, reference])


def register() -> None:
    register_kind(
        Kind(
            name="deletion_request",
            label="Deletion request",
            icon="eraser",
            desk="Deletion requests",
            sources=(
                Source(model=DeletionRequest, columns=("state", "deadline_on", "came_back")),
                Source(model=OfficeHours, columns=("zone",), key=EVERY),
            ),
            build=build,
            searched=Searched(DeletionRequest),
            objects=lambda: DeletionRequest.objects.unfinished(),
        )
    )
