"""Days of contracts that come near, and uploads about which a person has to decide, as work."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from functools import partial

from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils import timezone

from portal.calendars.models import OfficeHours
from portal.calendars.selectors import end_of_days
from portal.contracts.models import ATTENTION, Contract, Removal, RemovalState, Terms, Upload, UploadState
from portal.contracts.services.reminders import AHEAD
from portal.contracts.services.terms import change_terms, settle_notice
from portal.tenants.models import Membership, Role
from portal.users.models import User
from portal.work_items.kinds import EVERY, Action, Item, Key, Kind, Searched, Source, register_kind
from portal.work_items.services import Members, members_among, members_named

NOTICE = "notice_on"
MAX_PEOPLE = 200
REFUSAL_SHOWN_FOR = timedelta(days=7)
"""So long somebody may want the contract deleted all the same."""


def _noted() -> QuerySet[Terms]:
    return Terms.objects.filter(contract__isnull=False, contract__gone_at=None)


def _with(day: str) -> QuerySet[Terms]:
    rows = _noted().filter(**{f"{day}__isnull": False})
    return rows.exclude(notice_settled_on=F(NOTICE)) if day == NOTICE else rows


def build_days(day: str, ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of contracts whose day comes near; each is shown from then on.

    An end is over with its day. A notice day that was missed waits until somebody decides, or the contract renews or ends.
    """
    rows = list(_with(day).filter(pk__in=list(ids)).select_related("contract", "owner").defer("notes"))
    end_of = end_of_days({row.tenant_id for row in rows})
    members = members_among((row.tenant_id, row.owner_id) for row in rows)
    items = {}
    for row in rows:
        is_owned = (row.tenant_id, row.owner_id) in members
        due_at = end_of(row.tenant_id, getattr(row, day))
        items[row.pk] = Item(
            title=row.contract.title if row.contract else str(row),
            to_do=_to_do(row, day),
            url=partial(_url, row.platform_id),
            account_id=row.contract.account_id if row.contract else "",
            due_at=due_at,
            visible_from=due_at - AHEAD,
            visible_until=end_of(row.tenant_id, row.turns_on) if row.turns_on else None,
            owner_id=row.owner_id if is_owned else None,
            owner_name=str(row.owner) if is_owned else "",
            actions=_actions(day, is_owned=is_owned),
        )
    return items


def _actions(day: str, *, is_owned: bool) -> Sequence[str]:
    settle = ("settle_notice",) if day == NOTICE else ()
    return (*settle, "assign_contract") if is_owned else ("take_contract", *settle, "assign_contract")


def _to_do(row: Terms, day: str) -> str:
    if day == NOTICE:
        is_missed = row.notice_on is not None and row.notice_on < timezone.localdate()
        return "Notice day missed: decide what to do" if is_missed else "Renew or give notice"
    return "Renews automatically" if row.renews_itself else "Ends: renew or let it end"


def _url(platform_id: str, slug: str) -> str:
    return reverse("contracts:detail", args=[slug, platform_id])


def _contract(object_id: int) -> Contract:
    return Contract.objects.get(terms=object_id)


def _take(object_id: int, member: Membership, choice: Mapping[str, str]) -> str:
    return _give(object_id, member, member.user)


def _assign(object_id: int, member: Membership, choice: Mapping[str, str]) -> str:
    """Give it to the one member of this name."""
    found = members_named([(member.tenant_id, choice.get("value", ""))])
    if len(found) != 1:
        raise NobodyOfThisName
    return _give(object_id, member, User.objects.get(pk__in=found.values()))


def _give(object_id: int, member: Membership, owner: User) -> str:
    contract = _contract(object_id)
    change_terms(contract, {"owner": owner}, member=member)
    return f"Owner of {contract.title}: {owner}"


def _settle(object_id: int, member: Membership, choice: Mapping[str, str]) -> str:
    contract = _contract(object_id)
    settle_notice(contract, member=member)
    return f"Notice decided: {contract.title}"


def _members() -> Sequence[tuple[str, str]]:
    members = Membership.objects.active().exclude(user__name="")
    found = members.order_by("user__name", "pk").values_list("user_id", "user__name")[:MAX_PEOPLE]
    return [(str(user_id), name) for user_id, name in found]


class NobodyOfThisName(Exception):
    """No member has it, or several do."""


def _error_message(error: Exception, slug: str) -> str:
    if isinstance(error, NobodyOfThisName):
        return "No member has this name, or several do. Choose the owner on the contract's page."
    return "This contract is no longer in the portal."


def _undecided() -> QuerySet[Upload]:
    return Upload.objects.filter(state__in=ATTENTION)


def build_uploads(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of those uploads that did not arrive."""
    rows = list(_undecided().filter(pk__in=list(ids)).select_related("uploaded_by"))
    members = members_among((row.tenant_id, row.uploaded_by_id) for row in rows)
    return {
        row.pk: Item(
            title=str(row),
            to_do="Upload refused: try again or discard"
            if row.state == UploadState.REFUSED
            else "Id in use: choose what to do with the file",
            url=partial(reverse_queue),
            account_id=row.account_id,
            owner_id=row.uploaded_by_id if (row.tenant_id, row.uploaded_by_id) in members else None,
            owner_name=str(row.uploaded_by) if (row.tenant_id, row.uploaded_by_id) in members else "",
        )
        for row in rows
    }


def _kept() -> QuerySet[Contract]:
    refused = Removal.objects.filter(state=RemovalState.REFUSED)
    return Contract.objects.present().filter(pk__in=refused.values("contract"))


def build_removals(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of contracts that were to be deleted on the platform, and were not; one that is asked again is over."""
    rows = list(_kept().filter(pk__in=list(ids)).defer("payload", "search"))
    removals = Removal.objects.filter(contract__in=[row.pk for row in rows]).select_related("asked_by").order_by("pk")
    last = {removal.contract_id: removal for removal in removals}
    members = members_among((each.tenant_id, each.asked_by_id) for each in last.values())
    return {row.pk: _kept_item(row, last[row.pk], members) for row in rows if last[row.pk].state == RemovalState.REFUSED}


def _kept_item(row: Contract, removal: Removal, members: Members) -> Item:
    is_here = (removal.tenant_id, removal.asked_by_id) in members
    return Item(
        title=row.title,
        to_do="Not deleted on the platform: see why",
        url=partial(_url, row.platform_id),
        account_id=row.account_id,
        visible_until=removal.settled_at + REFUSAL_SHOWN_FOR if removal.settled_at else None,
        owner_id=removal.asked_by_id if is_here else None,
        owner_name=str(removal.asked_by) if is_here else "",
        role=Role.APPROVER,
    )


def reverse_queue(slug: str) -> str:
    return reverse("contracts:queue", args=[slug])


def register() -> None:
    actions = {
        "take_contract": Action(label="Take", key=Key.ACCEPT, role=Role.ANALYST, run=_take),
        "settle_notice": Action(label="Mark decided", key=Key.CLOSE, role=Role.ANALYST, run=_settle),
        "assign_contract": Action(
            label="Assign", key=Key.ASSIGN, role=Role.ANALYST, run=_assign, options=_members, is_typed=True
        ),
    }
    for day, name in ((NOTICE, "contract_notice"), ("turns_on", "contract_end")):
        columns = (day, "turns_on", "notice_settled_on") if day == NOTICE else (day,)
        register_kind(
            Kind(
                name=name,
                label="Contract",
                icon="handshake",
                desk="Contracts",
                sources=(
                    Source(model=Terms, columns=(*columns, "owner", "contract")),
                    Source(model=Contract, columns=("gone_at",), children=(Terms, "contract")),
                    Source(model=OfficeHours, columns=("zone",), key=EVERY),
                ),
                build=partial(build_days, day),
                searched=Searched(Contract, "contract"),
                objects=partial(_with, day),
                has_owners=True,
                actions=actions,
                refusals=(NobodyOfThisName, Contract.DoesNotExist),
                error_message=_error_message,
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
    register_kind(
        Kind(
            name="contract_removal",
            label="Contract",
            icon="triangle-alert",
            desk="Contracts",
            sources=(
                Source(model=Removal, columns=("state", "asked_by", "settled_at"), key="contract"),
                Source(model=Contract, columns=("gone_at",)),
            ),
            build=build_removals,
            searched=Searched(Contract),
            objects=_kept,
            has_owners=True,
        )
    )
