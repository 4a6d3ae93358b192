"""Questionnaires and the questions put to people, as work."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from functools import partial

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timezone import localtime

from portal.questionnaires import services
from portal.questionnaires.changes import Action as Change_
from portal.questionnaires.changes import Change
from portal.questionnaires.models import AssignableUser, Assignment, ExpertLink, Questionnaire, Response
from portal.questionnaires.refusals import REFUSALS, refusal_for
from portal.questionnaires.services.changing import taking
from portal.tenants.models import Membership, Role
from portal.users.dates import in_form
from portal.work_items.kinds import Action, Item, Kind, Source, register_kind
from portal.work_items.services import members_among, members_named, owner_of

WITH_PLATFORM = ("new", "processing", "on-hold", "other")
"""Stages in which nobody of the tenant can do anything; what is on hold waits for the customer."""
REVIEWED = "in-review"
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


def _open() -> QuerySet[Questionnaire]:
    return Questionnaire.objects.present().open()


def build(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of those questionnaires that are open. In review they are the approver's, else the owner's."""
    rows = list(_open().filter(pk__in=list(ids)).defer("payload", "search", "time_spent"))
    members = members_named(name for row in rows for name in (row.owner_name, row.approver_name))
    return {row.pk: _item(row, members) for row in rows}


def _item(row: Questionnaire, members: dict[str, int]) -> Item:
    stage, is_reviewed = row.stage.key, row.stage.key == REVIEWED
    holder = row.approver_name if is_reviewed else row.owner_name
    owner_id = owner_of(members, holder)
    author_id = owner_of(members, row.owner_name) if is_reviewed else None
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
    take = ("take",) if not row.owner_name and not is_reviewed else ()
    return (*take, "assign", "extend")


def _url(page: str, platform_id: str, slug: str) -> str:
    return reverse(f"questionnaires:{page}", args=[slug, platform_id])


def _change(object_id: int, member: Membership, change: Change) -> Questionnaire:
    return services.change_questionnaire(Questionnaire.objects.get(pk=object_id), member=member, change=change)


def _take(object_id: int, member: Membership, choice: Mapping[str, str]) -> str:
    after = _change(object_id, member, taking(member))
    return f"Owner of {after}: {after.owner_name or 'nobody'}"


def _assign(object_id: int, member: Membership, choice: Mapping[str, str]) -> str:
    """Give it to the one person of this name."""
    person = AssignableUser.objects.owners().named(choice.get("value", "")).get()
    change = Change(action=Change_.ASSIGN, owner_id=person.platform_id, owner_name=person.name)
    after = _change(object_id, member, change)
    return f"Owner of {after}: {after.owner_name or 'nobody'}"


def _extend(object_id: int, member: Membership, choice: Mapping[str, str]) -> str:
    """Move the due date on by days, from today where it has passed or there is none."""
    days = int(choice["value"]) if choice.get("value") in dict(EXTENSIONS) else 1
    row = Questionnaire.objects.get(pk=object_id)
    begins = max(row.due_at or timezone.now(), timezone.now())
    after = _change(object_id, member, Change(action=Change_.DUE, due_at=begins.replace(microsecond=0) + timedelta(days=days)))
    return f"{after} is due {date_format(localtime(after.due_at), in_form('j M')) if after.due_at else 'on no date'}"


EXTENSIONS = (("1", "1 day"), ("3", "3 days"), ("7", "1 week"), ("14", "2 weeks"))


def _people() -> Sequence[tuple[str, str]]:
    return list(AssignableUser.objects.owners().order_by("name", "id").values_list("platform_id", "name")[:MAX_PEOPLE])


def _explain(error: Exception, slug: str) -> str:
    if isinstance(error, AssignableUser.DoesNotExist):
        return "The platform lists nobody of this name who can own questionnaires."
    if isinstance(error, AssignableUser.MultipleObjectsReturned):
        return "The platform lists several people of this name. Assign it on its own page."
    refusal = refusal_for(error, slug=slug)
    return f"{refusal.title}. {refusal.text}"


def build_questions(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of those questions whose owner has yet to answer."""
    rows = Assignment.objects.open().filter(pk__in=list(ids)).select_related("response__questionnaire")
    found = list(rows.defer("response__questionnaire__payload", "response__payload"))
    members, askers = members_named(row.response.owner_name for row in found), members_among(row.made_by_id for row in found)
    items = {}
    for row in found:
        owner_id = owner_of(members, row.response.owner_name)
        asker_id = row.made_by_id if row.made_by_id in askers and row.made_by_id != owner_id else None
        items[row.pk] = Item(
            title=row.response.question,
            to_do=f"Answer for {row.made_by_name}" if asker_id else "Answer the question",
            url=partial(_url_of_question, row.response.questionnaire.platform_id, row.response.platform_id),
            account_id=row.response.questionnaire.account_id,
            due_at=row.due_at,
            owner_id=owner_id,
            owner_name=row.response.owner_name or "Assigned",
            asked_by_id=asker_id,
        )
    return items


def _unsettled() -> QuerySet[ExpertLink]:
    now = timezone.now()
    return ExpertLink.objects.filter(revoked_at=None, settled_at=None).exclude(answered_at=None, expires_at__lte=now)


def build_expert_links(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of questions to experts without a login: theirs until they answer, then of whoever asked."""
    rows = _unsettled().filter(pk__in=list(ids), response__gone_at=None).select_related("response__questionnaire", "made_by")
    found = list(rows.defer("response__questionnaire__payload", "response__payload"))
    askers = members_among(row.made_by_id for row in found)
    items = {}
    for row in found:
        is_answered, asker_id = row.answered_at is not None, row.made_by_id if row.made_by_id in askers else None
        items[row.pk] = Item(
            title=row.response.question,
            to_do=f"Use or dismiss the answer of {row}" if is_answered else f"Asked {row}",
            url=partial(_url_of_question, row.response.questionnaire.platform_id, row.response.platform_id),
            account_id=row.response.questionnaire.account_id,
            due_at=None if is_answered else row.due_at,
            visible_until=None if is_answered else row.expires_at,
            owner_id=asker_id if is_answered else None,
            owner_name=("" if asker_id is None else str(row.made_by)) if is_answered else str(row),
            asked_by_id=None if is_answered else asker_id,
            is_with_others=not is_answered,
        )
    return items


def _url_of_question(questionnaire_id: str, response_id: str, slug: str) -> str:
    return reverse("questionnaires:response", args=[slug, questionnaire_id, response_id])


def register() -> None:
    register_kind(
        Kind(
            name="questionnaire",
            label="Questionnaire",
            icon="clipboard-list",
            desk="Questionnaires",
            sources=(
                Source(
                    model=Questionnaire, columns=("status", "due_at", "target_at", "owner_name", "approver_name", "gone_at")
                ),
            ),
            build=build,
            objects=_open,
            has_owners=True,
            actions={
                "take": Action(label="Take", key="a", role=Role.ANALYST, run=_take),
                "assign": Action(label="Assign", key="o", role=Role.ANALYST, run=_assign, options=_people, is_typed=True),
                "extend": Action(
                    label="Extend", key="d", role=Role.ANALYST, run=_extend, options=lambda: EXTENSIONS, asks="Extend by"
                ),
            },
            refusals=(*REFUSALS, AssignableUser.DoesNotExist, AssignableUser.MultipleObjectsReturned),
            explain=_explain,
        )
    )
    came_of = ("is_answered", "owner_id", "owner_name", "gone_at")
    register_kind(
        Kind(
            name="question",
            label="Question",
            icon="message-circle-question-mark",
            desk="Questionnaires",
            sources=(
                Source(model=Assignment, columns=("owner_id", "due_at", "made_by")),
                Source(model=Response, columns=came_of, children=(Assignment, "response")),
                Source(model=Questionnaire, columns=("gone_at",), children=(Assignment, "response__questionnaire")),
            ),
            build=build_questions,
            objects=lambda: Assignment.objects.open(),
            has_owners=True,
        )
    )
    register_kind(
        Kind(
            name="expert_link",
            label="Question to an expert",
            icon="message-circle-question-mark",
            desk="Questionnaires",
            sources=(
                Source(
                    model=ExpertLink,
                    columns=("revoked_at", "expires_at", "answered_at", "settled_at", "due_at", "made_by"),
                ),
                Source(model=Response, columns=("gone_at",), children=(ExpertLink, "response")),
            ),
            build=build_expert_links,
            objects=lambda: _unsettled().filter(Q(response__gone_at=None)),
            has_owners=True,
        )
    )
