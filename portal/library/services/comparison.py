"""Which questions have an entry, and which entries are asked for alike: found out in the background, a few rows at a time.

A row that has to be looked at again is stale since a moment. It stays so until what was found is stored, unless it has become
stale once more meanwhile: then it is looked at again.
"""

import time
from collections.abc import Callable
from datetime import timedelta

from django.db import transaction
from django.db.models import Count, Max, Model, Q, QuerySet, Sum
from django.utils import timezone

from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.library.models import Asking, Coverage, Entry, Gap, Wording
from portal.library.models.wordings import STALE
from portal.library.ranking import NEAR
from portal.library.selectors import find_entries
from portal.library.services.entries import AREA
from portal.library.services.pairs import find_pairs, store_pairs
from portal.library.similarity import Search
from portal.library.themes import theme_of
from portal.page_refresh.services import touch_areas
from portal.tenants.scope import all_tenants

BATCH = 50
MAX_TENANTS = 100
SAME_GAP = 0.6
"""How like two questions are that are listed as one: nearer than NEAR, since they join one by one."""
YEAR = timedelta(days=365)


def compare(*, seconds: float = TASK_TIME_BUDGET_SECONDS) -> bool:
    """Look at what is stale in the tenant in scope for one turn, entries first; True when more is left."""
    deadline = time.monotonic() + seconds
    entries, is_more = _work_off(Entry.objects.stale(), compare_entry, deadline)
    wordings = 0
    if not is_more:
        wordings, is_more = _work_off(Wording.objects.stale(), judge, deadline)
    if entries or wordings:
        count_coverage()
    return is_more


def _work_off[M: Model](stale: "QuerySet[M]", look_at: Callable[[M], None], deadline: float) -> tuple[int, bool]:
    """Look at stale rows until a moment; return how many were looked at, and whether the time was over first."""
    done = after = 0
    while batch := list(stale.filter(pk__gt=after).order_by("pk")[:BATCH]):
        for row in batch:
            look_at(row)
            done += 1
            after = row.pk
            if time.monotonic() >= deadline:
                return done, True
    return done, False


def tenants_to_compare() -> list[int]:
    with all_tenants("entries and wordings to compare are found over all tenants"):
        found = (
            rows.order_by().values_list("tenant_id", flat=True).distinct()[:MAX_TENANTS]
            for rows in (Wording.objects.stale(), Entry.objects.stale())
        )
        return sorted({tenant_id for each in found for tenant_id in each})


def count_coverage() -> None:
    """Count how much has an entry, for the pages of the library."""
    now = timezone.now()
    # What is judged once more counts as it was judged before.
    covered = Q(score__gte=NEAR)
    judged = (covered | Q(gap__isnull=False)) & Q(asked_at__gte=now - YEAR)
    counts = Wording.objects.asked().aggregate(
        asked_count=Count("pk", filter=judged),
        covered_count=Count("pk", filter=judged & covered),
        waiting_count=Count("pk", filter=STALE),
    )
    gaps = dict(Gap.objects.order_by().values_list("theme").annotate(number=Count("pk")))
    with transaction.atomic():
        Coverage.objects.update_or_create(defaults={**counts, "gaps": gaps, "counted_at": now})
        touch_areas(AREA)


def compare_entry(entry: Entry) -> None:
    """Find the entries that are asked for alike, and mark stale what this one may answer now, or no longer."""
    questions = [(entry.question, False), *entry.variants.values_list("question", "is_reversed")]
    searches = [(Search(question), is_reversed) for question, is_reversed in questions]
    # What is kept on the platform cannot be merged here.
    pairs = {} if entry.is_mirrored else find_pairs(entry, searches)
    near = {row.pk for search in (*(each for each, _ in searches), Search(entry.answer)) for row in search.wordings}
    with transaction.atomic():
        if not Entry.objects.filter(pk=entry.pk, stale_since=entry.stale_since).update(stale_since=None):
            return
        store_pairs(entry, pairs)
        # Of a question that is asked in more wordings than a search finds, the others are listed with those it does find.
        gaps = Gap.objects.filter(wordings__in=near).values("pk")
        Wording.objects.filter(Q(pk__in=near) | Q(gap__in=gaps) | Q(best_entry=entry)).mark_stale()


def judge(wording: Wording) -> None:
    """Find the entry that answers a wording best, and list it among the gaps when none answers it well."""
    search = Search(wording)
    best = next(iter(find_entries(search, today=timezone.localdate(), most=1)), None)
    score = best.score if best else 0.0
    with transaction.atomic():
        # Another worker may have judged it, or one that is listed with it: what counts is what is stored now.
        stored = Wording.objects.select_for_update().filter(pk=wording.pk).first()
        if stored is None:
            return
        before = Gap.objects.select_for_update().filter(pk=stored.gap_id or 0).first()
        gap = None if score >= NEAR else before or _gap_of(wording, search)
        is_still_stale = stored.stale_since != wording.stale_since
        stored.score, stored.best_entry, stored.gap = score, best.entry if best else None, gap
        stored.stale_since = stored.stale_since if is_still_stale else None
        stored.save(update_fields=["score", "best_entry", "gap", "stale_since"])
        for each in filter(None, {before, gap}):
            _sum_up(each)


def _gap_of(wording: Wording, search: Search) -> Gap:
    """Return the gap of the most alike wording that has none either, or a new one."""
    likest = max((row for row in search.wordings if row.gap_id), key=search.likeness, default=None)
    if likest and search.likeness(likest) >= SAME_GAP:
        found = Gap.objects.select_for_update().filter(pk=likest.gap_id or 0).first()
        if found:
            return found
    return Gap.objects.create(wording=wording, asked_at=wording.asked_at or timezone.now(), theme=theme_of(wording.terms))


def _sum_up(gap: Gap) -> None:
    """Count again what a gap's wordings have been asked; one without any goes."""
    rows = gap.wordings.order_by("-asked_count", "pk")
    most = rows.first()
    if most is None:
        gap.delete()
        return
    counts = rows.order_by().aggregate(asked_count=Sum("asked_count"), asked_at=Max("asked_at"), wording_count=Count("pk"))
    for name, value in counts.items():
        setattr(gap, name, value)
    gap.questionnaire_count = Asking.objects.filter(wording__in=rows.order_by()).values("object_id").distinct().count()
    gap.wording, gap.theme = most, theme_of(most.terms)
    gap.save()
