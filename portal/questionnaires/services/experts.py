"""Putting questions to somebody who has no login, and what becomes of the answers that came back (`expert_answers`).

The expert's answer waits here until somebody who may write on the platform takes it over, so that every write there has a
person of the tenant behind it. Nothing in the history names the expert: their address can be erased, the history cannot.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import uuid4

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.audit.models import Source
from portal.audit.services import record
from portal.lib.enqueue import enqueue_on_commit
from portal.page_refresh.services import touch_areas
from portal.questionnaires.answers import Typed
from portal.questionnaires.models import A_DAY, Asked, ExpertLink, Questionnaire, Response
from portal.questionnaires.services.decisions import NotAllowed
from portal.questionnaires.services.drafts import draft_of, keep_draft
from portal.questionnaires.services.locks import lock_questionnaires
from portal.tenants.models import Membership, Role, Tenant
from portal.tenants.scope import current_tenant_id

MAIL = "portal.questionnaires.tasks.mail_expert_links"
CLOSED = "This questionnaire is closed. Its questions no longer need an answer."
UNSAVED = "You have unsaved text here. Save or discard it first."
MAX_QUESTIONS = 50
"""In one mail: more than that is no favour but a job."""
MAX_A_DAY = 300
"""Links of one tenant: nobody makes a mail cannon of the portal (guarantee S9)."""


@dataclass(frozen=True, kw_only=True)
class Expert:
    """Who is asked, what they have to know, until when, and how long their link lives."""

    email: str
    name: str = ""
    note: str = ""
    due_at: datetime | None = None
    days: int = 14


def ask_expert(expert: Expert, *, member: Membership, responses: Collection[Response]) -> list[ExpertLink]:
    """Make a link to each question and have them mailed; several have one link to all of them as well.

    A link that this person had to the same question ends.
    """
    _check(member)
    if not responses:
        raise NotAllowed("No question is selected.")
    if len(responses) > MAX_QUESTIONS:
        raise NotAllowed(f"At most {MAX_QUESTIONS} questions can be sent to one person at a time.")
    questionnaires = {response.questionnaire_id for response in responses}
    if Questionnaire.objects.present().open().filter(pk__in=questionnaires).count() < len(questionnaires):
        raise NotAllowed(CLOSED)
    with transaction.atomic():
        # Whoever asks at the same moment waits: the first one's link is there to be ended then, and counts.
        Tenant.objects.select_for_update().get(pk=current_tenant_id())
        now, asking = timezone.now(), uuid4() if len(responses) > 1 else None
        if ExpertLink.objects.filter(made_at__gt=now - A_DAY).count() + len(responses) > MAX_A_DAY:
            raise NotAllowed(f"At most {MAX_A_DAY} questions a day can go to people outside. Assign the rest on the platform.")
        ExpertLink.objects.filter(response__in=responses, email=expert.email, revoked_at=None).update(revoked_at=now)
        links = [
            ExpertLink.objects.create(
                response=response,
                asking=asking,
                email=expert.email,
                name=expert.name,
                note=expert.note,
                due_at=expert.due_at,
                expires_at=now + timedelta(days=expert.days),
                made_by=member.user,
                made_by_name=str(member.user)[:120],
            )
            for response in responses
        ]
        for link in links:
            record_link(link, "ask", "Asked an outside expert", member)
        recount_asked([response.pk for response in responses])
        enqueue_on_commit(MAIL, links[0].tenant_id)
    return links


@transaction.atomic
def revoke_link(link: ExpertLink, *, member: Membership) -> bool:
    """Make a link lead nowhere; True when it led somewhere."""
    _check(member)
    was_alive = bool(ExpertLink.objects.alive(timezone.now()).filter(pk=link.pk).update(revoked_at=timezone.now()))
    if was_alive:
        record_link(link, "revoke", "Revoked an expert's link", member)
        recount_asked([link.response_id])
    return was_alive


@transaction.atomic
def revoke_unanswered(link: ExpertLink, *, member: Membership) -> int:
    """Make the links to all questions of one asking that nobody has answered lead nowhere; return how many did."""
    open_ones = ExpertLink.objects.alive(timezone.now()).unanswered().asked_with(link)
    return sum(revoke_link(each, member=member) for each in open_ones.select_related("response__questionnaire"))


@transaction.atomic
def take_over(link: ExpertLink, *, member: Membership, typed: Mapping[str, Typed]) -> None:
    """Put an expert's answer into this person's draft, beside what they typed into other parts.

    `typed` is the answer as the form shows it. Raises NotAllowed where it would replace text of theirs (guarantee W2).
    """
    _check(member)
    draft = draft_of(link.response, member=member)
    mine: Mapping[str, Typed] = draft.typed if draft else {}
    if any(text and typed.get(part_id, text) != text for part_id, text in mine.items()):
        raise NotAllowed(UNSAVED)
    # Whichever of the two was written to another answer than the present one makes the form say so.
    is_late = draft is not None and draft.seen != link.response.answer.fingerprint
    seen = draft.seen if draft and is_late else link.seen
    keep_draft(link.response, member=member, seen=seen, typed={**mine, **typed})
    _record_use(link, "Used an expert's answer", member, was_used=True)


@transaction.atomic
def put_aside(link: ExpertLink, *, member: Membership) -> None:
    """Say that an expert's answer is not needed."""
    _check(member)
    _record_use(link, "Dismissed an expert's answer", member, was_used=False)


def _record_use(link: ExpertLink, summary: str, member: Membership, *, was_used: bool) -> None:
    waits = ExpertLink.objects.filter(pk=link.pk, answered_at__isnull=False, settled_at=None)
    if waits.update(settled_at=timezone.now(), was_used=was_used):
        record_link(link, "use", summary, member)
        recount_asked([link.response_id])


def recount_asked(keys: Collection[int]) -> None:
    """Write into the questions where their links stand: an answer to take over comes before a question that waits.

    Call it in a transaction.
    """
    rows = Response.objects.filter(pk__in=keys)
    questionnaires = set(rows.values_list("questionnaire", flat=True))
    lock_questionnaires(questionnaires)
    links = ExpertLink.objects.filter(response__in=keys)
    answered = links.filter(answered_at__isnull=False, settled_at=None)
    waiting = links.alive(timezone.now()).unanswered()
    states = {
        Asked.ANSWERED: set(answered.values_list("response_id", flat=True)),
        Asked.WAITING: set(waiting.values_list("response_id", flat=True)),
    }
    states[Asked.WAITING] -= states[Asked.ANSWERED]
    states[Asked.NOBODY] = set(keys) - states[Asked.ANSWERED] - states[Asked.WAITING]
    for state, theirs in states.items():
        rows.filter(pk__in=theirs).exclude(asked=state).update(asked=state)
    Questionnaire.objects.filter(pk__in=questionnaires).update(touched_at=timezone.now())
    touch_areas("questionnaires")


def record_link(link: ExpertLink, verb: str, summary: str, member: Membership | None) -> None:
    question = f"{summary}: “{link.response.question[:150]}”."
    target = ("response", link.response.platform_id)
    details = {"questionnaire": link.response.questionnaire.platform_id, "link": link.pk}
    actor = member.user if member else None
    record(f"response.expert.{verb}", target=target, summary=question, actor=actor, source=Source.PERSON, details=details)


def _check(member: Membership) -> None:
    if not member.may(Role.ANALYST):
        raise PermissionDenied
