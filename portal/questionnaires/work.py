"""Questionnaires as work."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timezone import localtime

from portal.questionnaires import services
from portal.questionnaires.changes import Action as Change_
from portal.questionnaires.changes import Change
from portal.questionnaires.models import AssignableUser, Questionnaire
from portal.questionnaires.refusals import REFUSALS, refusal_for
from portal.questionnaires.services.changes import taking, taking_review
from portal.questionnaires.stages import REVIEWED
from portal.tenants.models import Membership, Role
from portal.users.dates import in_form
from portal.work_items.kinds import Action, Item, Key, Kind, Searched, Source, register_kind
from portal.work_items.services import Named, members_named, owner_of

NAME = "questionnaire"
WITH_PLATFORM = ("new", "processing", "on-hold", "other")
"""Stages in which nobody of the tenant can do anything; what is on hold waits for the customer."""
TO_DO = {
    "WAITING_ON_COLUMN_SELECTION": "Choose the columns on the platform",
    "WAITING_ON_COLUMN_APPROVAL": "Confirm the columns on the platform",
    "READY_FOR_REVIEW": "Review the answers",
    "IN_REVIEW": "Review the answers",
    "APPROVED": "Send it and complete it",
    "ERROR": "The platform could not process the file",
    "ON_HOLD": "On hold",
}
MAX_PEOPLE = 200
NOT_DONE = (*REFUSALS, AssignableUser.DoesNotExist, AssignableUser.MultipleObjectsReturned)


def _open() -> QuerySet[Questionnaire]:
    return Questionnaire.objects.present().open()


def build(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of those questionnaires that are open. In review they are the approver's, else the owner's."""
    rows = list(_open().filter(pk__in=list(ids)).defer("payload", "search", "time_spent"))
    members = members_named((row.tenant_id, name) for row in rows for name in (row.owner_name, row.approver_name))
    return {row.pk: _item(row, members) for row in rows}


def _item(row: Questionnaire, members: Named) -> Item:
    stage, is_reviewed = row.stage.key, row.stage.key == REVIEWED
    holder = row.approver_name if is_reviewed else row.owner_name
    owner_id = owner_of(members, row.tenant_id, holder)
    author_id = owner_of(members, row.tenant_id, row.owner_name) if is_reviewed else None
    return Item(
        title=str(row),
        to_do=_to_do(row),
        url=partial(_url, "review" if is_reviewed else "questionnaire", row.platform_id),
        account_id=row.account_id,
        due_at=row.due_at or row.target_at,
        owner_id=owner_id,
        owner_name=holder,
        asked_by_id=author_id if author_id != owner_id else None,
        is_with_others=stage in WITH_PLATFORM,
        role=Role.APPROVER if is_reviewed else Role.ANALYST,
        actions=_actions(row, is_reviewed),
    )


def _to_do(row: Questionnaire) -> str:
    if row.status in TO_DO:
        return TO_DO[row.status]
    if row.stage.key in WITH_PLATFORM:
        return "The platform is processing it" if row.stage.key != "other" else row.status_label
    if not row.question_count:
        return "Answer the questions"
    if row.unanswered_count:
        return f"Answer {row.unanswered_count} of {row.question_count}"
    return "Hand it over for review"


def _actions(row: Questionnaire, is_reviewed: bool) -> Sequence[str]:
    """In review it is the approver who has it: its owner stays who it is."""
    if is_reviewed:
        return (*(() if row.approver_name else ("take_review",)), "approver", "extend")
    return (*(() if row.owner_name else ("take",)), "assign", "extend")


def _url(page: str, platform_id: str, slug: str) -> str:
    return reverse(f"questionnaires:{page}", args=[slug, platform_id])


def _change(object_id: int, member: Membership, change: Change) -> Questionnaire:
    return services.change_questionnaire(Questionnaire.objects.get(pk=object_id), member=member, change=change)


def _take(object_id: int, member: Membership, choice: Mapping[str, str]) -> str:
    after = _change(object_id, member, taking(member))
    return f"Owner of {after}: {after.owner_name or 'unassigned'}"


def _assign(object_id: int, member: Membership, choice: Mapping[str, str]) -> str:
    """Give it to the one person of this name."""
    person = AssignableUser.objects.owners().named(choice.get("value", "")).get()
    change = Change(action=Change_.ASSIGN, owner_id=person.platform_id, owner_name=person.name)
    after = _change(object_id, member, change)
    return f"Owner of {after}: {after.owner_name or 'unassigned'}"


def _take_review(object_id: int, member: Membership, choice: Mapping[str, str]) -> str:
    return _approver(_change(object_id, member, taking_review(member)))


def _name_approver(object_id: int, member: Membership, choice: Mapping[str, str]) -> str:
    person = AssignableUser.objects.approvers().named(choice.get("value", "")).get()
    change = Change(action=Change_.APPROVER, owner_id=person.platform_id, owner_name=person.name)
    return _approver(_change(object_id, member, change))


def _approver(after: Questionnaire) -> str:
    return f"Approver of {after}: {after.approver_name or 'unassigned'}"


def _extend(object_id: int, member: Membership, choice: Mapping[str, str]) -> str:
    """Move the due date on by days: without one, from its target; from today where that has passed or there is neither."""
    row = Questionnaire.objects.get(pk=object_id)
    due_at = extended(row.due_at or row.target_at, choice)
    after = _change(object_id, member, Change(action=Change_.DUE, due_at=due_at))
    return f"{after} is due {day_of(after.due_at)}" if after.due_at else f"{after} has no due date"


def extended(due_at: datetime | None, choice: Mapping[str, str]) -> datetime:
    """Return the due moment by which one is replaced."""
    days = int(choice["value"]) if choice.get("value") in dict(EXTENSIONS) else 1
    return max(due_at or timezone.now(), timezone.now()).replace(microsecond=0) + timedelta(days=days)


def day_of(due_at: datetime) -> str:
    return date_format(localtime(due_at), in_form("j M"))


EXTENSIONS = (("1", "1 day"), ("3", "3 days"), ("7", "1 week"), ("14", "2 weeks"))


def owners() -> Sequence[tuple[str, str]]:
    return _listed(AssignableUser.objects.owners())


def _approvers() -> Sequence[tuple[str, str]]:
    return _listed(AssignableUser.objects.approvers())


def _listed(people: QuerySet[AssignableUser]) -> Sequence[tuple[str, str]]:
    return list(people.order_by("name", "id").values_list("platform_id", "name")[:MAX_PEOPLE])


def error_message(error: Exception, slug: str) -> str:
    if isinstance(error, AssignableUser.DoesNotExist):
        return "The platform lists no one with this name for this."
    if isinstance(error, AssignableUser.MultipleObjectsReturned):
        return "The platform lists several people with this name. Assign it on its own page."
    refusal = refusal_for(error, slug=slug)
    return f"{refusal.title}. {refusal.text}"


def register() -> None:
    register_kind(
        Kind(
            name=NAME,
            label="Questionnaire",
            icon="clipboard-list",
            desk="Questionnaires",
            sources=(
                Source(
                    model=Questionnaire, columns=("status", "due_at", "target_at", "owner_name", "approver_name", "gone_at")
                ),
            ),
            build=build,
            searched=Searched(Questionnaire),
            objects=_open,
            has_owners=True,
            actions={
                "take": Action(label="Take", key=Key.ACCEPT, role=Role.ANALYST, run=_take),
                "assign": Action(label="Assign", key=Key.ASSIGN, role=Role.ANALYST, run=_assign, options=owners, is_typed=True),
                "take_review": Action(label="Take", key=Key.ACCEPT, role=Role.APPROVER, run=_take_review),
                "approver": Action(
                    label="Name approver",
                    key=Key.ASSIGN,
                    role=Role.ANALYST,
                    run=_name_approver,
                    options=_approvers,
                    asks="Approver",
                    is_typed=True,
                ),
                "extend": Action(
                    label="Extend", key=Key.EXTEND, role=Role.ANALYST, run=_extend, options=lambda: EXTENSIONS, asks="Extend by"
                ),
            },
            refusals=NOT_DONE,
            error_message=error_message,
        )
    )
