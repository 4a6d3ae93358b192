from functools import partial

from celery import shared_task
from django.db.models import Exists, F, Min, OuterRef, Q, Subquery
from django.utils import timezone

from portal.tenants.models import Tenant
from portal.tenants.scope import all_tenants
from portal.tenants.turns import serve_in_turn
from portal.work_items.models import Pass, WorkItem
from portal.work_items.services import EACH_COMPARISON, OLD_NEWS, compare_all, note_overdue, turn_items, work_off_changes

MAX_TENANTS = 20


@shared_task
def sweep_work_items() -> None:
    """Work off what has changed in every tenant, as far as the time goes: the next sweep goes on where this one ends."""
    work_off_changes()


@shared_task
def sweep_near_items() -> None:
    """Note in every tenant which items have come near, and whose time has passed."""
    now = timezone.now()
    with all_tenants("the tenants where the time of an item has come or passed"):
        due = WorkItem.objects.filter(turns_at__lte=now).order_by().values("tenant_id").annotate(first=Min("turns_at"))
        turns = list(due.order_by("first").values_list("tenant_id"))
    serve_in_turn(turns, partial(turn_items, now), what="noting which work is near")


@shared_task
def sweep_overdue_items() -> None:
    """Tell of what has become overdue in every tenant."""
    now = timezone.now()
    with all_tenants("the tenants where something has become overdue, and those where nobody has looked yet"):
        due = WorkItem.objects.filter(is_with_others=False, due_sort__gt=now - OLD_NEWS, due_sort__lte=now)
        told = Pass.objects.filter(tenant=OuterRef("tenant"), overdue_until__gte=OuterRef("due_sort"))
        late = due.exclude(Exists(told)).order_by().values("tenant_id").annotate(first=Min("due_sort")).order_by("first")
        looked = Pass.objects.exclude(overdue_until=None)
        unseen = Tenant.objects.exclude(pk__in=looked.values("tenant")).order_by("pk")
        turns = dict.fromkeys([*late.values_list("tenant_id"), *unseen.values_list("pk")])
    serve_in_turn(turns, partial(note_overdue, now), what="telling of overdue work")


@shared_task
def compare_work_items() -> None:
    """Compare the items of some tenants with what their desks say: those that were not for longest."""
    with all_tenants("the tenants whose turn it is"):
        late = Pass.objects.filter(Q(compared_at=None) | Q(compared_at__lte=timezone.now() - EACH_COMPARISON))
        fresh = Pass.objects.exclude(pk__in=late.values("pk"))
        last = Subquery(Pass.objects.filter(tenant=OuterRef("pk")).values("compared_at")[:1])
        waiting = Tenant.objects.exclude(pk__in=fresh.values("tenant")).annotate(last=last)
        turns = list(waiting.order_by(F("last").asc(nulls_first=True), "pk").values_list("pk")[:MAX_TENANTS])
    serve_in_turn(turns, compare_all, what="comparing the work with its desks")
