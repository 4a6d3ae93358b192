"""The platform still sends something about a person who was erased: open pages of the ledger say so."""

from typing import Any

from django.dispatch import receiver

from portal.deletion_requests.services.request_audit import AREA
from portal.page_refresh.services import touch_areas
from portal.tenants.erased_people import still_listed


@receiver(still_listed, dispatch_uid="say_that_erased_people_are_listed")
def say_still_listed(**_: Any) -> None:
    touch_areas(AREA)
