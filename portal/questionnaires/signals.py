"""A tenant has a new grant: the exports that waited for one are looked at. It has other office hours: its clocks are wound."""

from typing import Any

from django.dispatch import receiver

from portal.calendars.signals import hours_changed
from portal.connections.signals import connected
from portal.questionnaires.services.export_looking import wake_exports
from portal.questionnaires.services.targeting import ask_for_winding
from portal.tenants.scope import tenant_scope


@receiver(connected, dispatch_uid="look_at_waiting_exports")
def look_at_waiting(tenant_id: int, **_: Any) -> None:
    with tenant_scope(tenant_id):
        wake_exports()


@receiver(hours_changed, dispatch_uid="wind_clocks")
def wind_after_hours(**_: Any) -> None:
    ask_for_winding()
