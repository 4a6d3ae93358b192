"""The owners and experts who were asked about a question, and the teams that can be."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Q
from django.utils import timezone

from portal.questionnaires.models import Assignment, ExpertLink, Questionnaire, Response

MAX_TEAMS = 200
MAX_LINKS = 20


@dataclass(frozen=True)
class BatchProgress:
    """How many of the questions that one expert was asked together are answered. Withdrawn ones do not count."""

    done: int
    total: int


@dataclass(frozen=True)
class AskedExpert:
    """An expert who was asked about a question, and what they answered in words."""

    link: ExpertLink
    given: list[tuple[str, str]]
    together: BatchProgress | None


def teams_of(questionnaire: Questionnaire) -> list[tuple[str, str]]:
    """The teams that own something in a questionnaire: the platform lists teams nowhere (platform-api 4.1.4)."""
    rows = Response.objects.present().filter(questionnaire=questionnaire, payload__ownerAssignment__type="Team")
    return list(rows.order_by("owner_name").values_list("owner_id", "owner_name").distinct()[:MAX_TEAMS])


def asked_about(response: Response) -> dict[str, Any]:
    """Who was asked about a question: its owner with what was said, and the experts with what they answered."""
    assignment = Assignment.objects.filter(response=response, owner_id=response.owner_id).first() if response.owner_id else None
    links = list(response.expert_links.prefetch_related("files")[:MAX_LINKS])
    together = batch_progress(links)
    experts = [AskedExpert(link, in_words(response, link.values), together.get(link.asking)) for link in links]
    return {
        "assignment": assignment,
        "experts": experts,
        "unread": next((link for link in links if link.answered_at and not link.settled_at), None),
        "author": next((link for link in links if link.was_used), None),
    }


def batch_progress(links: Iterable[ExpertLink]) -> dict[UUID | None, BatchProgress]:
    """Count the questions of each asking that these links belong to; a question that was asked by itself is in none."""
    askings = {link.asking for link in links if link.asking}
    if not askings:
        return {}
    is_withdrawn = Q(revoked_at__isnull=False) | Q(response__gone_at__isnull=False)
    rows = ExpertLink.objects.filter(asking__in=askings).exclude(is_withdrawn, answered_at=None)
    counts = rows.order_by().values("asking").annotate(total=Count("pk"), done=Count("pk", filter=Q(answered_at__isnull=False)))
    return {row["asking"]: BatchProgress(done=row["done"], total=row["total"]) for row in counts}


def next_open(link: ExpertLink) -> ExpertLink | None:
    """Return the next question of the same asking that can be answered: behind this one, or else from the top again."""
    rows = ExpertLink.objects.alive(timezone.now()).unanswered().asked_with(link).needed()
    rows = rows.exclude(pk=link.pk).order_by("response__position", "pk")
    return rows.filter(response__position__gt=link.response.position).first() or rows.first()


def in_words(response: Response, values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """An expert's answer as people read it: the label of each part that they filled in, and the text."""
    answer = response.answer
    parts = [(answer.part(part_id), value) for part_id, value in values.items()]
    return [(part.label, part.read(value)) for part, value in parts]
