"""What the platform has not done for somebody at this desk, as work: exports that failed, and bulk runs."""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from functools import partial

from django.db.models import Q, QuerySet
from django.urls import reverse

from portal.platform_writes.failed_runs import register_failed_runs
from portal.questionnaires.models import Export, ExportState, Questionnaire
from portal.questionnaires.models.export import FORMATS
from portal.questionnaires.refusals import REFUSALS, refusal_for
from portal.questionnaires.services.bulk_runs import BULK
from portal.questionnaires.services.exports import request_export
from portal.tenants.models import Membership, Role
from portal.work_items.kinds import Action, Item, Key, Kind, Searched, Source, register_kind
from portal.work_items.services import Members, members_among

SHOWN_FOR = timedelta(days=7)
"""So long somebody may want the file; later nobody expects it any more."""
FAILED = Q(state=ExportState.FAILED, is_confirmed=True) | Q(state=ExportState.UNANSWERED)


def _without_file() -> QuerySet[Questionnaire]:
    failed = Export.objects.filter(FAILED, is_elsewhere=False, format__in=FORMATS)
    return Questionnaire.objects.present().filter(pk__in=failed.values("questionnaire"))


def _last_failures(questionnaires: Iterable[int]) -> dict[int, list[Export]]:
    """Return those exports by questionnaire that failed last in their format; one that was asked for again is over."""
    last: dict[tuple[int, str], Export] = {}
    rows = Export.objects.filter(questionnaire__in=list(questionnaires), format__in=FORMATS).select_related("asked_by")
    for row in rows.order_by("asked_at", "pk"):
        last[row.questionnaire_id, row.format] = row
    found: dict[int, list[Export]] = {}
    for (questionnaire, _), row in sorted(last.items()):
        if row.may_be_asked_again and row.state != ExportState.EXPIRED and not row.is_elsewhere:
            found.setdefault(questionnaire, []).append(row)
    return found


def build(ids: Iterable[int]) -> dict[int, Item]:
    """Make one item for each questionnaire of which a file was asked for and did not come."""
    rows = list(_without_file().filter(pk__in=list(ids)).defer("payload", "search", "time_spent"))
    failures = _last_failures(row.pk for row in rows)
    members = members_among((each.tenant_id, each.asked_by_id) for found in failures.values() for each in found)
    return {row.pk: _item(row, failures[row.pk], members) for row in rows if row.pk in failures}


def _item(row: Questionnaire, failures: list[Export], members: Members) -> Item:
    newest = max(failures, key=lambda each: each.asked_at)
    is_here = (newest.tenant_id, newest.asked_by_id) in members
    return Item(
        title=str(row),
        to_do=f"Not exported: {', '.join(str(each) for each in failures)}",
        url=partial(_url, row.platform_id),
        account_id=row.account_id,
        visible_until=(newest.ended_at or newest.asked_at) + SHOWN_FOR,
        owner_id=newest.asked_by_id if is_here else None,
        owner_name=str(newest.asked_by) if is_here else "",
        actions=("export_again",),
    )


def _url(platform_id: str, slug: str) -> str:
    return reverse("questionnaires:exports", args=[slug, platform_id])


def _export_again(object_id: int, member: Membership, choice: Mapping[str, str]) -> str:
    questionnaire = Questionnaire.objects.get(pk=object_id)
    for failure in _last_failures([object_id]).get(object_id, []):
        request_export(questionnaire, member=member, export_format=failure.format)
    return f"Exporting again: {questionnaire}"


def _error_message(error: Exception, slug: str) -> str:
    refusal = refusal_for(error, slug=slug)
    return f"{refusal.title}. {refusal.text}"


def _url_of_run(run_id: int, slug: str) -> str:
    return reverse("questionnaires:bulk_run", args=[slug, run_id])


def register() -> None:
    register_failed_runs(BULK, desk="Questionnaires", url=_url_of_run)
    register_kind(
        Kind(
            name="failed_export",
            label="Export",
            icon="triangle-alert",
            desk="Questionnaires",
            sources=(
                Source(
                    model=Export,
                    columns=("state", "is_confirmed", "is_elsewhere", "format", "asked_by", "ended_at"),
                    key="questionnaire",
                ),
                Source(model=Questionnaire, columns=("gone_at",)),
            ),
            build=build,
            searched=Searched(Questionnaire),
            objects=_without_file,
            has_owners=True,
            actions={"export_again": Action(label="Try again", key=Key.ACCEPT, role=Role.ANALYST, run=_export_again)},
            refusals=REFUSALS,
            error_message=_error_message,
        )
    )
