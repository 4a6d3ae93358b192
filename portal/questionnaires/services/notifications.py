"""Who is told of a change: the member of this tenant whom the platform's new owner or approver is."""

from functools import partial

from django.urls import reverse
from django.utils import timezone

from portal.notifications.kinds import ASSIGNED
from portal.notifications.services import notify
from portal.questionnaires.changes import Change
from portal.questionnaires.models import Questionnaire
from portal.questionnaires.services.owners import member_named
from portal.tenants.models import Membership

TOGETHER = "%Y-%m-%d %H"
"""Forty questions that somebody assigns within an hour are one notification."""


def tell_assigned(questionnaire: Questionnaire, change: Change, *, member: Membership) -> None:
    """Tell who has a questionnaire or questions of it now, unless they did it. Call it in the transaction of the change."""
    person = member_named(change.owner_name) if change.names_person and change.owner_id else None
    if person is None or person.pk == member.user_id or change.owner_type != "User":
        return
    page = "review" if change.names_approver else "questionnaire"
    notify(
        ASSIGNED,
        [person.pk],
        key=f"{change.kind}:{questionnaire.pk}:{member.user_id}:{timezone.now().strftime(TOGETHER)}",
        title=f"{member.user} {_words(change, questionnaire)}",
        text=change.note or (f"Due {change.day}" if change.is_of_questions and change.due_at else ""),
        url=partial(_url, page, questionnaire.platform_id),
    )


def _words(change: Change, questionnaire: Questionnaire) -> str:
    if change.is_of_questions:
        return f"asked you for answers in {questionnaire}"
    if change.names_approver:
        return f"asked you to approve {questionnaire}"
    return f"assigned {questionnaire} to you"


def _url(page: str, platform_id: str, slug: str) -> str:
    return reverse(f"questionnaires:{page}", args=[slug, platform_id])
