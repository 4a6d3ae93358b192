"""How the answers of questionnaires came about, in questions and in time: what the pages show of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Case, CharField, Count, F, Q, Sum, Value, When
from django.db.models.functions import Coalesce

from portal.page_refresh.services import cached_by_version, cached_for_version
from portal.questionnaires.models import AnswerOrigin, Questionnaire, Response, ResponseQuerySet

ELSEWHERE, OPEN = "elsewhere", "open"
LABELS: Mapping[str, str] = {
    **{each.value: str(each.label) for each in AnswerOrigin},
    ELSEWHERE: "Answered on the platform",
    OPEN: "Still open",
}
DAYS = 90
"""Of all questionnaires, those that came in so many days are counted."""
IS_STANDING = Q(is_answered=True, saved_answer__digest=F("answer_digest"))
"""The answer still is the one that was saved here: one that was changed on the platform since is the platform's."""
ORIGIN = Case(
    When(is_answered=False, then=Value(OPEN)),
    When(IS_STANDING, then=F("saved_answer__origin")),
    default=Value(ELSEWHERE),
    output_field=CharField(),
)


@dataclass(frozen=True)
class AnswerOrigins:
    """The number of questions by how they were answered; every question is in one of them."""

    by_origin: Mapping[str, int]
    of_library: int
    """Answers with an entry of the library in them, inserted or drafted."""
    seconds: int
    """Counted between saves (`services.saving.WORK_GAP`)."""

    @property
    def total(self) -> int:
        return sum(self.by_origin.values())

    @property
    def answered(self) -> int:
        return self.total - self.by_origin.get(OPEN, 0)

    @property
    def lines(self) -> Sequence[tuple[str, int, int]]:
        """Label, number and percent of every way that there is. The percents add up to a hundred."""
        numbers = {key: self.by_origin.get(key, 0) for key in LABELS}
        total = self.total or 1
        percents = {key: 100 * number // total for key, number in numbers.items()}
        missing = (100 if self.total else 0) - sum(percents.values())
        # What was rounded down most is rounded up.
        for key in sorted(numbers, key=lambda key: -(100 * numbers[key] % total))[:missing]:
            percents[key] += 1
        return [(label, numbers[key], percents[key]) for key, label in LABELS.items()]

    @property
    def spent(self) -> timedelta:
        return timedelta(seconds=self.seconds)


def answer_origins(questionnaire: Questionnaire) -> AnswerOrigins:
    """Count the answers of one questionnaire. Kept until it changes."""
    rows = Response.objects.filter(questionnaire=questionnaire)
    return cached_for_version(f"questionnaire:{questionnaire.pk}:{questionnaire.version}", "origins", lambda: _count(rows))


def recent_answer_origins(*, now: datetime) -> tuple[int, AnswerOrigins]:
    """Count the answers of all questionnaires that came in the last 90 days; return how many those are, too."""
    return cached_by_version("questionnaires", "origins", lambda: _count_recent(now))


def _count_recent(now: datetime) -> tuple[int, AnswerOrigins]:
    recent = Questionnaire.objects.present().filter(created_at__gt=now - timedelta(days=DAYS))
    return recent.count(), _count(Response.objects.filter(questionnaire__in=recent.order_by().values("pk")))


def _count(rows: ResponseQuerySet) -> AnswerOrigins:
    grouped = (
        rows.present()
        .order_by()
        .values(made=ORIGIN)
        .annotate(
            number=Count("pk"),
            of_library=Count("pk", filter=IS_STANDING & Q(saved_answer__is_of_library=True)),
            seconds=Coalesce(Sum("saved_answer__seconds"), 0),
        )
    )
    found = list(grouped)
    return AnswerOrigins(
        {each["made"]: each["number"] for each in found},
        sum(each["of_library"] for each in found),
        sum(each["seconds"] for each in found),
    )
