"""The questions put to people as work: to the owners of questions, and to experts without a login."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from portal.questionnaires.changes import Action as Change_
from portal.questionnaires.changes import Change
from portal.questionnaires.models import AssignableUser, Assignment, ExpertLink, Questionnaire, Response
from portal.questionnaires.services.assignments import assign_question, move_question
from portal.questionnaires.services.changes import person_of
from portal.questionnaires.work import EXTENSIONS, NOT_DONE, day_of, error_message, extended, owners
from portal.tenants.models import Membership, Role
from portal.work_items.kinds import Action, Item, Key, Kind, Searched, Source, register_kind
from portal.work_items.services import members_among, members_named, owner_of


def build_questions(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of those questions whose owner has yet to answer."""
    rows = Assignment.objects.open().filter(pk__in=list(ids)).select_related("response__questionnaire")
    found = list(rows.defer("response__questionnaire__payload", "response__payload"))
    members = members_named((row.tenant_id, row.response.owner_name) for row in found)
    askers = members_among((row.tenant_id, row.made_by_id) for row in found)
    items = {}
    for row in found:
        owner_id = owner_of(members, row.tenant_id, row.response.owner_name)
        is_here = (row.tenant_id, row.made_by_id) in askers
        asker_id = row.made_by_id if is_here and row.made_by_id != owner_id else None
        items[row.pk] = Item(
            title=row.response.question,
            to_do=f"Answer for {row.made_by_name}" if asker_id else "Answer the question",
            url=partial(_url_of_question, row.response.questionnaire.platform_id, row.response.platform_id),
            account_id=row.response.questionnaire.account_id,
            due_at=row.due_at,
            owner_id=owner_id,
            owner_name=row.response.owner_name or "Assigned",
            asked_by_id=asker_id,
            actions=_actions(owner_id),
        )
    return items


def _actions(owner_id: int | None) -> Sequence[str]:
    """A team has it, or somebody who is no member: then it can be taken."""
    return (*(() if owner_id else ("take_question",)), "assign_question", "extend_question")


def _unsettled() -> QuerySet[ExpertLink]:
    now = timezone.now()
    links = ExpertLink.objects.needed().filter(revoked_at=None, settled_at=None)
    return links.exclude(answered_at=None, expires_at__lte=now)


def build_expert_links(ids: Iterable[int]) -> dict[int, Item]:
    """Make the items of questions to experts without a login: theirs until they answer, then of whoever asked."""
    rows = _unsettled().filter(pk__in=list(ids)).select_related("response__questionnaire", "made_by")
    found = list(rows.defer("response__questionnaire__payload", "response__payload"))
    askers = members_among((row.tenant_id, row.made_by_id) for row in found)
    items = {}
    for row in found:
        is_answered = row.answered_at is not None
        asker_id = row.made_by_id if (row.tenant_id, row.made_by_id) in askers else None
        items[row.pk] = Item(
            title=row.response.question,
            to_do=f"Use or dismiss the answer from {row}" if is_answered else f"Asked {row}",
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


def _take_question(object_id: int, member: Membership, choice: Mapping[str, str]) -> str:
    return _give(object_id, member, person_of(member))


def _assign_question(object_id: int, member: Membership, choice: Mapping[str, str]) -> str:
    return _give(object_id, member, AssignableUser.objects.owners().named(choice.get("value", "")).get())


def _give(object_id: int, member: Membership, person: AssignableUser) -> str:
    """Give a question to somebody else, with the note and the due date that it has."""
    row = Assignment.objects.select_related("response__questionnaire").get(pk=object_id)
    change = Change(
        action=Change_.ASSIGN_QUESTIONS,
        owner_id=person.platform_id,
        owner_name=person.name,
        note=row.note,
        due_at=row.due_at,
    )
    after = assign_question(row.response, member=member, change=change)
    return f"Owner of the question: {after.owner_name or 'unassigned'}"


def _extend_question(object_id: int, member: Membership, choice: Mapping[str, str]) -> str:
    row = Assignment.objects.get(pk=object_id)
    due_at = extended(row.due_at, choice)
    move_question(row, member=member, due_at=due_at)
    return f"The question is due {day_of(due_at)}"


def register() -> None:
    came_of = ("is_answered", "owner_id", "owner_name", "gone_at")
    closed_by = ("status", "gone_at")
    register_kind(
        Kind(
            name="question",
            label="Question",
            icon="message-circle-question-mark",
            desk="Questionnaires",
            sources=(
                Source(model=Assignment, columns=("owner_id", "due_at", "made_by")),
                Source(model=Response, columns=came_of, children=(Assignment, "response")),
                Source(model=Questionnaire, columns=closed_by, children=(Assignment, "response__questionnaire")),
            ),
            build=build_questions,
            searched=Searched(Response, "response"),
            objects=lambda: Assignment.objects.open(),
            has_owners=True,
            actions={
                "take_question": Action(label="Take", key=Key.ACCEPT, role=Role.ANALYST, run=_take_question),
                "assign_question": Action(
                    label="Assign", key=Key.ASSIGN, role=Role.ANALYST, run=_assign_question, options=owners, is_typed=True
                ),
                "extend_question": Action(
                    label="Extend",
                    key=Key.EXTEND,
                    role=Role.ANALYST,
                    run=_extend_question,
                    options=lambda: EXTENSIONS,
                    asks="Extend by",
                ),
            },
            refusals=NOT_DONE,
            error_message=error_message,
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
                Source(model=Questionnaire, columns=closed_by, children=(ExpertLink, "response__questionnaire")),
            ),
            build=build_expert_links,
            searched=Searched(Response, "response"),
            objects=_unsettled,
            has_owners=True,
        )
    )
