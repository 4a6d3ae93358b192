"""A tenant has a new grant: what waited or was refused is tried again. It has none any more: no draft is offered. It has other
office hours: its clocks are recalculated. A membership ends: so does its calendar feed. The sync gives a questionnaire to a
member: they are told. What an expert sent is deleted, by whichever way: its file goes, too.
"""

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models.signals import post_delete
from django.dispatch import receiver

from portal.calendars import feeds
from portal.calendars.signals import hours_changed
from portal.connections.signals import connected, disconnected
from portal.questionnaires.models import CalendarFeed, ExpertFile
from portal.questionnaires.services.drafting_runs import end_drafting
from portal.questionnaires.services.export_verification import wake_exports
from portal.questionnaires.services.intake_outcomes import wake_intakes
from portal.questionnaires.services.notifications import tell_given
from portal.questionnaires.services.targets import mark_clocks_stale
from portal.questionnaires.work import NAME
from portal.tenants.models import Membership
from portal.tenants.scope import tenant_scope
from portal.work_items.kinds import Item, Kind
from portal.work_items.signals import given


@receiver(connected, dispatch_uid="look_at_waiting_exports_and_intakes")
def verify_waiting(tenant_id: int, **_: Any) -> None:
    with tenant_scope(tenant_id):
        wake_exports()
        wake_intakes()


@receiver(disconnected, dispatch_uid="end_drafting_of_tenant")
def end_drafts(tenant_id: int, **_: Any) -> None:
    with tenant_scope(tenant_id):
        end_drafting()


@receiver(hours_changed, dispatch_uid="recalculate_clocks_of_tenant")
def recalculate_after_hours(**_: Any) -> None:
    mark_clocks_stale()


@receiver(post_delete, sender=Membership, dispatch_uid="end_calendar_feed")
def end_feed(instance: Membership, **_: Any) -> None:
    feeds.end_feed(CalendarFeed, instance)


@receiver(post_delete, sender=ExpertFile, dispatch_uid="delete_expert_file")
def delete_file(instance: ExpertFile, **_: Any) -> None:
    transaction.on_commit(partial(instance.file.storage.delete, instance.file.name or ""), robust=True)


@receiver(given, dispatch_uid="tell_who_has_questionnaires")
def tell_owners(kind: Kind, items: Mapping[int, Item], at: datetime, **_: Any) -> None:
    if kind.name == NAME:
        tell_given(items, at=at)
