"""Nobody approves their own work, where a tenant has switched that on."""

from django.db.models import F, IntegerField, OuterRef, Subquery

from portal.audit.models import Entry
from portal.questionnaires.models import DeskRules, Questionnaire, Response, ResponseQuerySet
from portal.questionnaires.stages import UNFINISHED
from portal.tenants.models import Membership

WROTE = "You wrote this answer, so somebody else has to approve it (four eyes)."
HANDED_OVER = "You handed this questionnaire over, so somebody else has to approve it (four eyes)."
NOT_HANDED_OVER = "It has to be handed over for review first, so that somebody else can approve it (four eyes)."
EDITS = ("response.answer", "response.answer_unconfirmed")
HAND_OVERS = ("questionnaire.status", "questionnaire.status_unconfirmed")


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
    steps = Entry.objects.filter(target_kind="questionnaire", target_id=questionnaire.platform_id)
    hand_over = steps.filter(action__in=HAND_OVERS, details__after="READY_FOR_REVIEW").first()
    return HANDED_OVER if hand_over and hand_over.actor_id == member.user_id else ""
