"""Noticing content of the Trust Center that is not right any more: in the background, a few rows at a time."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import reduce
from hashlib import sha256
from operator import or_
from typing import Any

from django.db import transaction
from django.db.models import F, OuterRef, Q, Subquery
from django.utils import timezone

from portal.lib.time_budget import TASK_TIME_BUDGET_SECONDS
from portal.page_refresh.services import touch_areas
from portal.sync.copies import search_text
from portal.tenants.models import Tenant
from portal.tenants.scope import all_tenants
from portal.trust_center.kinds import AREA, FAQ, RESOURCE
from portal.trust_center.models import FAR, Cause, ContentCheck, ContentSweep, Faq, FaqQuerySet, Renewal, RenewalRule, Resource
from portal.trust_center.models.checks import CHECKED_EVERY, COMPARED_AGAIN, MAX_DIFFERENCE_LENGTH, MAX_TITLE_LENGTH
from portal.trust_center.sent_answers import Compare, Contradiction, begin_comparison

CHECK = "portal.trust_center.tasks.check_content"
BATCH = 50
MAX_SWEPT = 500


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What is wrong with one document or FAQ."""

    subject: str
    key: int
    platform_id: str
    title: str
    cause: Cause
    sign: str
    due_on: date = FAR
    difference: str = ""
    answers: tuple[int, ...] = ()

    @property
    def columns(self) -> dict[str, Any]:
        title = self.title[:MAX_TITLE_LENGTH]
        return {
            "platform_id": self.platform_id,
            "title": title,
            "cause": self.cause.value,
            "sign": self.sign,
            "due_on": self.due_on,
            "difference": self.difference[:MAX_DIFFERENCE_LENGTH],
            "answers": list(self.answers),
            "search": search_text(title),
        }


def tenants_to_check() -> list[int]:
    """Return the tenants with content that was not looked at for some minutes, the longest waiting first."""
    due = timezone.now() - CHECKED_EVERY
    with all_tenants("the sweep looks for the content of every tenant"):
        # A check of content that has gone since still has to go.
        kept = (Resource.objects.present(), Faq.objects.present(), ContentCheck.objects.all())
        has_content = reduce(or_, (Q(pk__in=rows.order_by().values("tenant_id")) for rows in kept))
        checked_at = ContentSweep.objects.filter(tenant=OuterRef("pk")).order_by().values("checked_at")
        tenants = Tenant.objects.filter(has_content, closed_at=None).annotate(checked_at=Subquery(checked_at))
        waiting = tenants.filter(Q(checked_at=None) | Q(checked_at__lte=due))
        waiting = waiting.order_by(F("checked_at").asc(nulls_first=True), "pk")
        return list(waiting.values_list("pk", flat=True)[:MAX_SWEPT])


def check_content(*, seconds: float = TASK_TIME_BUDGET_SECONDS) -> bool:
    """Look at the documents and at the FAQs that have to be compared, for one turn; True when more is left."""
    deadline = time.monotonic() + seconds
    check_documents(Resource.objects.to_renew(timezone.localdate()), is_whole=True)
    is_more = compare_faqs(deadline)
    if not is_more:
        note_checked()
    return is_more


@transaction.atomic
def note_checked() -> None:
    """Write down that everything was looked at; the first time open pages are told."""
    _, is_new = ContentSweep.objects.update_or_create(defaults={"checked_at": timezone.now()})
    if is_new:
        touch_areas(AREA)


def check_documents(rows: Iterable[Resource], *, is_whole: bool = False) -> None:
    """Keep what is wrong with these documents; `is_whole` says that with every other document nothing is."""
    found = [_finding_of(row, rule) for row, rule in _with_rules(rows)]
    with transaction.atomic():
        is_changed = keep_findings(RESOURCE, {each.key: each for each in found})
        if is_whole:
            gone = ContentCheck.objects.filter(subject=RESOURCE).exclude(object_key__in=[each.key for each in found])
            is_changed = bool(gone.delete()[0]) or is_changed
        if is_changed:
            touch_areas(AREA)


def check_document(resource: Resource) -> None:
    """Look at one document now. Runs in the caller's transaction."""
    rows = list(Resource.objects.to_renew(timezone.localdate()).filter(pk=resource.pk))
    if not rows:
        ContentCheck.objects.about(RESOURCE, resource.pk).delete()
    check_documents(rows)


def _with_rules(rows: Iterable[Resource]) -> list[tuple[Resource, str]]:
    documents = list(rows)
    rules = dict(Renewal.objects.values_list("resource_id", "rule"))
    return [(row, rules.get(row.platform_id, RenewalRule.AUTOMATIC.value)) for row in documents]


def _finding_of(row: Resource, rule: str) -> Finding:
    return Finding(
        subject=RESOURCE,
        key=row.pk,
        platform_id=row.platform_id,
        title=row.title,
        cause=Cause.EXPIRES if rule == RenewalRule.DAY else Cause.OLD_REPORT,
        due_on=row.renew_on,
        sign=_sign(rule, row.renew_on.isoformat(), row.title, row.file_name, str(row.updated_at)),
    )


def compare_faqs(deadline: float) -> bool:
    """Compare the FAQs that changed, or were not compared for an hour, with sent answers; True when the time was over first."""
    drop_checks_of_missing_faqs()
    compare = begin_comparison()
    if compare is None:
        return False
    due = timezone.now() - COMPARED_AGAIN
    while batch := list(_to_compare().filter(Q(compared_at=None) | Q(compared_at__lt=due))[:BATCH]):
        for row in batch:
            compare_faq(row, compare)
            if time.monotonic() >= deadline:
                return True
    return False


def _to_compare() -> FaqQuerySet:
    rows: FaqQuerySet = Faq.objects.present().defer("payload", "search")
    return rows.order_by(F("compared_at").asc(nulls_first=True), "pk")


def compare_faq(row: Faq, compare: Compare) -> None:
    """Compare one FAQ. One that has changed meanwhile stays to be compared."""
    found = compare(row.question, row.answer)
    with transaction.atomic():
        same = Faq.objects.filter(pk=row.pk, question=row.question, answer=row.answer, gone_at=None)
        if not same.update(compared_at=timezone.now()):
            return
        if found is None:
            is_changed = bool(ContentCheck.objects.about(FAQ, row.pk).delete()[0])
        else:
            is_changed = keep_findings(FAQ, {row.pk: _finding_of_faq(row, found)})
        # That it was compared at all is news too, the first time.
        if is_changed or row.compared_at is None:
            touch_areas(AREA)


def _finding_of_faq(row: Faq, found: Contradiction) -> Finding:
    return Finding(
        subject=FAQ,
        key=row.pk,
        platform_id=row.platform_id,
        title=row.question,
        cause=Cause.CONTRADICTION,
        difference=found.difference,
        answers=tuple(found.answers),
        sign=_sign(row.question, row.answer, found.sign),
    )


def drop_checks_of_missing_faqs() -> None:
    present = Faq.objects.present().order_by().values("pk")
    with transaction.atomic():
        if ContentCheck.objects.filter(subject=FAQ).exclude(object_key__in=present).delete()[0]:
            touch_areas(AREA)


def keep_findings(subject: str, found: Mapping[int, Finding]) -> bool:
    """Keep what was found; what somebody has dismissed stays so until another thing is found. True when anything changed."""
    rows = ContentCheck.objects.select_for_update().filter(subject=subject, object_key__in=found.keys()).order_by("pk")
    known = {row.object_key: row for row in rows}
    is_changed = False
    for key, finding in found.items():
        if key not in known:
            ContentCheck.objects.get_or_create(subject=subject, object_key=key, defaults=finding.columns)
            is_changed = True
        elif _differs(known[key], finding):
            _take(known[key], finding)
            is_changed = True
    return is_changed


def _differs(row: ContentCheck, finding: Finding) -> bool:
    return any(getattr(row, name) != value for name, value in finding.columns.items())


def _take(row: ContentCheck, finding: Finding) -> None:
    if row.sign != finding.sign:
        row.found_at = timezone.now()
    for name, value in finding.columns.items():
        setattr(row, name, value)
    row.is_open = row.sign != row.dismissed_sign
    row.save(update_fields=[*finding.columns, "found_at", "is_open"])


def _sign(*parts: str) -> str:
    return sha256("\n".join(parts).encode()).hexdigest()
