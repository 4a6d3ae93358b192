"""Days of contracts that come near, and uploads about which a person has to decide, as work."""

from collections.abc import Iterable
from functools import partial

from django.db.models import QuerySet
from django.urls import reverse

from portal.calendars.models import OfficeHours
from portal.calendars.selectors import end_of_days
from portal.contracts.models import ATTENTION, Contract, Terms, Upload, UploadState
from portal.contracts.services.reminding import AHEAD
from portal.work_items.kinds import EVERY, Item, Kind, Source, register_kind
from portal.work_items.services import members_among


def _noted() -> QuerySet[Terms]:
    return Terms.objects.filter(contract__isnull=False, contract__gone_at=None)


def _with(day: str) -> QuerySet[Terms]:
    return _noted().filter(**{f"{day}__isnull": False})


def build_days(day: str, ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of contracts whose day comes near; each is shown from then on until the day is over."""
    rows = list(_with(day).filter(pk__in=list(ids)).select_related("contract", "owner").defer("notes"))
    end_of, members = end_of_days(), members_among(row.owner_id for row in rows)
    items = {}
    for row in rows:
        due_at = end_of(getattr(row, day))
        items[row.pk] = Item(
            title=row.contract.title if row.contract else str(row),
            to_do=_to_do(row, day),
            url=partial(_url, row.platform_id),
            account_id=row.contract.account_id if row.contract else "",
            due_at=due_at,
            visible_from=due_at - AHEAD,
            visible_until=due_at,
            owner_id=row.owner_id if row.owner_id in members else None,
            owner_name=str(row.owner) if row.owner_id in members else "",
        )
    return items


def _to_do(row: Terms, day: str) -> str:
    if day == "notice_on":
        return "Renew or give notice"
    return "Renews automatically" if row.renews_itself else "Ends: renew or let it end"


def _url(platform_id: str, slug: str) -> str:
    return reverse("contracts:detail", args=[slug, platform_id])


def _undecided() -> QuerySet[Upload]:
    return Upload.objects.filter(state__in=ATTENTION)


def build_uploads(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of those uploads that did not arrive."""
    rows = list(_undecided().filter(pk__in=list(ids)).select_related("uploaded_by"))
    members = members_among(row.uploaded_by_id for row in rows)
    return {
        row.pk: Item(
            title=str(row),
            to_do="Upload refused: try again or discard"
            if row.state == UploadState.REFUSED
            else "ID in use: decide about the file",
            url=partial(reverse_queue),
            account_id=row.account_id,
            owner_id=row.uploaded_by_id if row.uploaded_by_id in members else None,
            owner_name=str(row.uploaded_by) if row.uploaded_by_id in members else "",
        )
        for row in rows
    }


def reverse_queue(slug: str) -> str:
    return reverse("contracts:queue", args=[slug])


def register() -> None:
    for day, name in (("notice_on", "contract_notice"), ("turns_on", "contract_end")):
        register_kind(
            Kind(
                name=name,
                label="Contract",
                icon="handshake",
                desk="Contracts",
                sources=(
                    Source(model=Terms, columns=(day, "owner", "contract")),
                    Source(model=Contract, columns=("gone_at",), children=(Terms, "contract")),
                    Source(model=OfficeHours, columns=("zone",), key=EVERY),
                ),
                build=partial(build_days, day),
                objects=partial(_with, day),
                has_owners=True,
            )
        )
    register_kind(
        Kind(
            name="contract_upload",
            label="Contract upload",
            icon="triangle-alert",
            desk="Contracts",
            sources=(Source(model=Upload, columns=("state", "uploaded_by")),),
            build=build_uploads,
            objects=_undecided,
            has_owners=True,
        )
    )
