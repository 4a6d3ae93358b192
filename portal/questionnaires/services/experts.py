"""Putting a question to somebody who has no login: the link, the answer that comes back, and what becomes of it.

The expert's answer waits here until somebody who may write on the platform takes it over, so that every write there has a
person of the tenant behind it. Nothing in the history names the expert: their address can be erased, the history cannot.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from portal.audit.models import Source
from portal.audit.services import record
from portal.lib.enqueue import enqueue_on_commit
from portal.lib.storable import storable
from portal.page_refresh.services import touch_areas
from portal.questionnaires.answers import Typed
from portal.questionnaires.models import A_DAY, Asked, ExpertLink, Questionnaire, Response
from portal.questionnaires.services.deciding import NotAllowed
from portal.questionnaires.services.drafting import keep_draft
from portal.tenants.models import Membership, Role
from portal.tenants.scope import all_tenants

MAIL = "portal.questionnaires.tasks.mail_expert_links"
MAX_QUESTIONS = 50
"""In one mail: more than that is no favour but a job."""
MAX_A_DAY = 300
"""Links of one tenant: nobody makes a mail cannon of the portal (guarantee S9)."""


class LinkEnded(Exception):
    """The link has expired or was revoked, or its question is gone. Nothing was kept."""


@dataclass(frozen=True, kw_only=True)
class Expert:
    """Who is asked, what they have to know, until when, and how long their link lives."""

    email: str
    name: str = ""
    note: str = ""
    due_at: datetime | None = None
    days: int = 14


def ask_expert(expert: Expert, *, member: Membership, responses: Collection[Response]) -> list[ExpertLink]:
    """Make a link to each question and have them mailed. A link that this person had to the same question ends."""
    _check(member)
    if not responses:
        raise NotAllowed("No question is selected.")
    if len(responses) > MAX_QUESTIONS:
        raise NotAllowed(f"At most {MAX_QUESTIONS} questions can be sent to one person at once.")
    now = timezone.now()
    if ExpertLink.objects.filter(made_at__gt=now - A_DAY).count() + len(responses) > MAX_A_DAY:
        raise NotAllowed(f"At most {MAX_A_DAY} questions a day go to people outside. Assign the rest on the platform.")
    with transaction.atomic():
        ExpertLink.objects.filter(response__in=responses, email=expert.email, revoked_at=None).update(revoked_at=now)
        links = [
            ExpertLink.objects.create(
                response=response,
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
            _write_down(link, "ask", "Asked an outside expert", member)
        recount_asked([response.pk for response in responses])
        enqueue_on_commit(MAIL, links[0].tenant_id)
    return links


@transaction.atomic
def revoke_link(link: ExpertLink, *, member: Membership) -> bool:
    """Make a link lead nowhere; True when it led somewhere."""
    _check(member)
    was_alive = bool(ExpertLink.objects.alive(timezone.now()).filter(pk=link.pk).update(revoked_at=timezone.now()))
    if was_alive:
        _write_down(link, "revoke", "Revoked an expert's link", member)
        recount_asked([link.response_id])
    return was_alive


def open_expert_link(token: str) -> ExpertLink | None:
    """Return what is behind a token, also when it has ended; None when the token was not signed here."""
    with all_tenants("the token is all that says whose question this is"):
        links = ExpertLink.objects.behind(token).select_related("response__questionnaire", "tenant")
        return links.filter(tenant__closed_at=None).first()


@transaction.atomic
def note_opened(link: ExpertLink) -> None:
    if ExpertLink.objects.filter(pk=link.pk, opened_at=None).update(opened_at=timezone.now()):
        touch_areas("questionnaires")


@transaction.atomic
def answer_by_link(link: ExpertLink, *, seen: str, parts: Mapping[str, Any]) -> None:
    """Keep an expert's answer until somebody here takes it over. Raises LinkEnded."""
    # Locked, so that an answer and a revocation at the same moment come one after the other.
    link = ExpertLink.objects.select_for_update().select_related("response__questionnaire").get(pk=link.pk)
    if link.has_ended or link.response.gone_at:
        raise LinkEnded
    now = timezone.now()
    values = {**link.values, **storable(dict(parts))}
    columns = {"values": values, "seen": seen[:64], "answered_at": now, "settled_at": None}
    ExpertLink.objects.filter(pk=link.pk).update(**columns)
    _write_down(link, "answer", "An expert answered by link", None)
    recount_asked([link.response_id])


@transaction.atomic
def take_over(link: ExpertLink, *, member: Membership, typed: Mapping[str, Typed]) -> None:
    """Put an expert's answer into this person's draft; `typed` is the answer as the form shows it."""
    _check(member)
    keep_draft(link.response, member=member, seen=link.seen, typed=typed)
    _settle(link, "Used an expert's answer", member)


@transaction.atomic
def put_aside(link: ExpertLink, *, member: Membership) -> None:
    """Say that an expert's answer is not needed."""
    _check(member)
    _settle(link, "Dismissed an expert's answer", member)


def _settle(link: ExpertLink, summary: str, member: Membership) -> None:
    waits = ExpertLink.objects.filter(pk=link.pk, answered_at__isnull=False, settled_at=None)
    if waits.update(settled_at=timezone.now()):
        _write_down(link, "settle", summary, member)
        recount_asked([link.response_id])


def recount_asked(keys: Collection[int]) -> None:
    """Write into the questions where their links stand: an answer to take over comes before a question that waits."""
    links = ExpertLink.objects.filter(response__in=keys)
    answered = links.filter(answered_at__isnull=False, settled_at=None)
    waiting = links.alive(timezone.now()).unanswered()
    rows = Response.objects.filter(pk__in=keys)
    states = {
        Asked.ANSWERED: set(answered.values_list("response_id", flat=True)),
        Asked.WAITING: set(waiting.values_list("response_id", flat=True)),
    }
    states[Asked.WAITING] -= states[Asked.ANSWERED]
    states[Asked.NOBODY] = set(keys) - states[Asked.ANSWERED] - states[Asked.WAITING]
    for state, theirs in states.items():
        rows.filter(pk__in=theirs).exclude(asked=state).update(asked=state)
    Questionnaire.objects.filter(responses__in=keys).update(touched_at=timezone.now())
    touch_areas("questionnaires")


def _write_down(link: ExpertLink, verb: str, summary: str, member: Membership | None) -> None:
    question = f"{summary}: “{link.response.question[:150]}”."
    target = ("response", link.response.platform_id)
    details = {"questionnaire": link.response.questionnaire.platform_id, "link": link.pk}
    actor = member.user if member else None
    record(f"response.expert.{verb}", target=target, summary=question, actor=actor, source=Source.PERSON, details=details)


def _check(member: Membership) -> None:
    if not member.may(Role.ANALYST):
        raise PermissionDenied
