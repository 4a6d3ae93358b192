"""Customers who were told otherwise than is true, as work."""

from collections.abc import Iterable, Mapping
from functools import partial

from django.urls import reverse

from portal.questionnaires.models import Correction, CorrectionState, Questionnaire, Response
from portal.questionnaires.services import decide_correction
from portal.tenants.models import Membership, Role
from portal.work_items.kinds import Action, Item, Key, Kind, Searched, Source, register_kind
from portal.work_items.services import members_among


def build(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of customers who have yet to be corrected."""
    rows = Correction.objects.open().filter(pk__in=list(ids)).select_related("drift", "response__questionnaire", "owner")
    found = list(rows.defer("response__payload", "response__questionnaire__payload"))
    members = members_among((row.tenant_id, row.owner_id) for row in found)
    items = {}
    for row in found:
        is_here = (row.tenant_id, row.owner_id) in members
        items[row.pk] = Item(
            title=row.drift.question,
            to_do=f"Correct what {row.response.questionnaire} says",
            url=partial(_url, row.drift_id),
            account_id=row.account_id,
            due_at=row.due_at,
            owner_id=row.owner_id if is_here else None,
            owner_name=str(row.owner) if is_here else "",
            actions=("corrected", "no_correction"),
        )
    return items


def _url(drift_id: int, slug: str) -> str:
    return reverse("questionnaires:drift_question", args=[slug, drift_id])


def _decide(state: CorrectionState, object_id: int, member: Membership, choice: Mapping[str, str]) -> str:
    row = decide_correction(Correction.objects.get(pk=object_id), state, member=member)
    return f"{state.label}: {row.response.questionnaire}"


def register() -> None:
    register_kind(
        Kind(
            name="correction",
            label="Correction",
            icon="git-compare-arrows",
            desk="Questionnaires",
            sources=(
                Source(model=Correction, columns=("state", "due_at", "owner")),
                Source(model=Questionnaire, columns=("name",), children=(Correction, "response__questionnaire")),
            ),
            build=build,
            searched=Searched(Response, "response"),
            objects=lambda: Correction.objects.open(),
            has_owners=True,
            actions={
                "corrected": Action(
                    label="Mark corrected", key=Key.ACCEPT, role=Role.ANALYST, run=partial(_decide, CorrectionState.DONE)
                ),
                "no_correction": Action(
                    label="Not needed", key=Key.CLOSE, role=Role.ANALYST, run=partial(_decide, CorrectionState.NOT_NEEDED)
                ),
            },
        )
    )
