"""What looks like the questionnaire that a person is about to hand in."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from portal.lib.text_keys import key_of
from portal.questionnaires.models import Intake, Questionnaire, QuestionnaireQuerySet
from portal.questionnaires.stages import FINISHED

FINISHED_FOR = timedelta(days=365)
"""The same customer asks again once a year; what is older is another questionnaire."""
MAX_SHOWN = 10


@dataclass(frozen=True)
class Duplicate:
    """One that looks like it: a questionnaire that is here, or an intake whose questionnaire is not known yet."""

    why: str
    questionnaire: Questionnaire | None = None
    intake: Intake | None = None


def duplicates(intake: Intake, *, now: datetime) -> list[Duplicate]:
    """Find what looks like it, each once, the surest reason first.

    Those where the platform failed are left out: to hand them in again is the way on.
    """
    found: dict[tuple[str, int], Duplicate] = {}
    for each in _candidates(intake, now=now):
        row = each.questionnaire or each.intake
        if row is not None and row.pk:
            found.setdefault((type(row).__name__, row.pk), each)
    return [*found.values()][:MAX_SHOWN]


def _candidates(intake: Intake, *, now: datetime) -> Iterator[Duplicate]:
    what = "Same file" if intake.filename else "Same address"
    earlier = Intake.objects.there().filter(fingerprint=intake.fingerprint).exclude(pk=intake.pk)
    for one in earlier.select_related("questionnaire")[:MAX_SHOWN]:
        if one.questionnaire is None:
            if one.is_on_its_way:
                yield Duplicate(what, intake=one)
        elif one.questionnaire.gone_at is None and one.questionnaire.status != "ERROR":
            yield Duplicate(what, questionnaire=one.questionnaire)
    alive = _alive(now)
    if not intake.filename:
        for questionnaire in alive.filter(url_key=intake.fingerprint)[:MAX_SHOWN]:
            yield Duplicate(what, questionnaire=questionnaire)
    if name_key := key_of(intake.name):
        for questionnaire in alive.filter(name_key=name_key, account_id=intake.account_id)[:MAX_SHOWN]:
            yield Duplicate("Same name and account" if intake.account_id else "Same name", questionnaire=questionnaire)


def _alive(now: datetime) -> QuestionnaireQuerySet:
    """Those that are open, and those that were finished lately."""
    lately = Q(completed_at__gt=now - FINISHED_FOR) | Q(completed_at=None, updated_at__gt=now - FINISHED_FOR)
    rows = Questionnaire.objects.present().filter(~Q(status__in=FINISHED) | lately).exclude(status="ERROR")
    return rows.defer("payload", "search").order_by("-created_at", "-id")
