"""Nobody approves their own work, where a tenant has switched that on."""

from django.db.models import F, IntegerField, OuterRef, Subquery

from portal.audit.models import Entry
from portal.questionnaires.models import DeskRules, Questionnaire, Response, ResponseQuerySet
from portal.questionnaires.stages import PAUSED, REVIEWED, STAGE_BY_KEY, UNFINISHED
from portal.tenants.models import Membership

WROTE = "You wrote this answer, so someone else has to approve it (four eyes)."
HANDED_OVER = "You handed this questionnaire over, so someone else has to approve it (four eyes)."
NOT_HANDED_OVER = "It has to be handed over for review first, so that someone else can approve it (four eyes)."
EDITS = ("response.answer", "response.answer_unconfirmed")
STATUS_CHANGES = ("questionnaire.status", "questionnaire.status_unconfirmed")
IN_REVIEW = STAGE_BY_KEY[REVIEWED].statuses
MAX_CHANGES = 50


def is_on() -> bool:
    return DeskRules.objects.filter(four_eyes=True).exists()


def with_last_editor(rows: ResponseQuerySet) -> ResponseQuerySet:
    """Let each row know who saved its answer here last (`last_editor`, the key of a user)."""
    edits = Entry.objects.filter(target_kind="response", target_id=OuterRef("platform_id"), action__in=EDITS)
    last = Subquery(edits.order_by("-id").values("actor_id")[:1], output_field=IntegerField(null=True))
    return rows.annotate(last_editor=last)


def own_answer(response: Response, member: Membership) -> str:
    """Say why this person may not approve this answer; nothing when they may."""
    if not is_on():
        return ""
    rows = with_last_editor(Response.objects.filter(pk=response.pk))
    return WROTE if member.user_id in rows.values_list(F("last_editor"), flat=True) else ""


def own_work(questionnaire: Questionnaire, member: Membership) -> str:
    """Say why this person may not approve this questionnaire; nothing when they may."""
    if not is_on():
        return ""
    if questionnaire.status in UNFINISHED:
        return NOT_HANDED_OVER
    hand_over = _hand_over(questionnaire)
    return HANDED_OVER if hand_over and hand_over.actor_id == member.user_id else ""


def _hand_over(questionnaire: Questionnaire) -> Entry | None:
    """Return the change made here that last brought it into review, by whatever status; None where the platform did.

    Who only takes a review up, or goes on with one that was paused, has not handed it over.
    """
    changes = Entry.objects.filter(target_kind="questionnaire", target_id=questionnaire.platform_id, action__in=STATUS_CHANGES)
    resumed = None
    for change in changes[:MAX_CHANGES]:
        before, after = change.details.get("before"), change.details.get("after")
        if after in IN_REVIEW and before in PAUSED:
            resumed = resumed or change
        elif after in IN_REVIEW and before not in IN_REVIEW:
            return change
        elif after in PAUSED and before in IN_REVIEW:
            resumed = None
        elif resumed:
            return resumed
    return resumed
