"""Questionnaires that were handed in and wait for a person, as work."""

from collections.abc import Iterable
from functools import partial

from django.db.models import Q, QuerySet
from django.urls import reverse

from portal.questionnaires.models import SHOWN_FOR, Intake, IntakeState
from portal.work_items.kinds import Item, Kind, Source, register_kind
from portal.work_items.services import members_among

TO_DO = {
    IntakeState.ASKING.value: "Possible duplicate: send it or discard it",
    IntakeState.ABSENT.value: "It didn't reach the platform: submit it again",
}


def _waiting() -> QuerySet[Intake]:
    return Intake.objects.filter(Q(state=IntakeState.ASKING) | Q(state=IntakeState.ABSENT, successor=None))


def build(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of those that somebody has to decide about, or to hand in once more."""
    rows = list(_waiting().filter(pk__in=list(ids)).select_related("begun_by"))
    members = members_among((row.tenant_id, row.begun_by_id) for row in rows)
    return {
        row.pk: Item(
            title=row.name,
            to_do=TO_DO[row.state],
            url=partial(_url, row.pk),
            account_id=row.account_id,
            visible_until=row.settled_at + SHOWN_FOR if row.settled_at else None,
            owner_id=row.begun_by_id if (row.tenant_id, row.begun_by_id) in members else None,
            owner_name=str(row.begun_by) if (row.tenant_id, row.begun_by_id) in members else "",
        )
        for row in rows
    }


def _url(intake_id: int, slug: str) -> str:
    return reverse("questionnaires:intake", args=[slug, intake_id])


def register() -> None:
    register_kind(
        Kind(
            name="intake",
            label="Intake",
            icon="clipboard-list",
            desk="Questionnaires",
            sources=(Source(model=Intake, columns=("state", "successor", "settled_at", "begun_by")),),
            build=build,
            objects=_waiting,
            has_owners=True,
        )
    )
