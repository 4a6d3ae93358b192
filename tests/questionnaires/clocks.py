"""Questionnaires with a history, and an office that never closes, so that hours on the wall are office hours."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from portal.calendars.models import OfficeHours
from portal.questionnaires.models import NO_DUE_DATE, Questionnaire, Target
from portal.questionnaires.services.clocks import recalculate_clocks_for
from portal.questionnaires.tasks import recalculate_clocks_of_tenant

ALWAYS = [[0, 1440]] * 7


def always_open() -> None:
    OfficeHours.objects.create(week=ALWAYS)


def hours_ago(hours: float) -> datetime:
    return timezone.now() - timedelta(hours=hours)


def payload(platform_id: str, name: str, log: Sequence[tuple[str, datetime]], **more: Any) -> dict[str, Any]:
    """A questionnaire as the platform sends it; its log has the newest first."""
    entries = [{"status": each, "updatedAt": at.isoformat(), "updatedBy": {"id": "u1"}} for each, at in log]
    made, now = log[-1][1].isoformat(), timezone.now().isoformat()
    return {"id": platform_id, "displayName": name, "type": "SPREADSHEET", "status": log[0][0], "statusLog": entries,
            "createdDate": made, "updatedDate": now} | more  # fmt: skip


def made(name: str, *log: tuple[str, float], account: str = "", owner: str = "", **columns: Any) -> Questionnaire:
    """Make a questionnaire from its log: status and hours ago, newest first."""
    now, tags = timezone.now(), columns.pop("tags", [])
    platform_id = columns.pop("platform_id", f"id-{name}")
    steps = [(status, now - timedelta(hours=hours)) for status, hours in log]
    row = Questionnaire.objects.create(
        platform_id=platform_id,
        name=name,
        search=name.lower(),
        status=steps[0][0],
        due_sort=NO_DUE_DATE,
        account_id=account,
        owner_name=owner,
        created_at=steps[-1][1],
        updated_at=now,
        payload=payload(platform_id, name, steps, tagAndCategoryIds=[{"categoryId": of, "tagId": tag} for of, tag in tags]),
        **columns,
    )
    with transaction.atomic():
        recalculate_clocks_for([row.pk])
    return Questionnaire.objects.get(pk=row.pk)


def within(hours: int, kind: str = "everything", **condition: Any) -> Target:
    return Target.objects.create(kind=kind, hours=hours, **condition)


def fresh(row: Questionnaire) -> Questionnaire:
    return Questionnaire.objects.get(pk=row.pk)


def let_wind(row: Questionnaire) -> Questionnaire:
    """Do what a worker does after a change of the settings."""
    recalculate_clocks_of_tenant(row.tenant_id)
    return fresh(row)
