"""Subscribers, and who was told of an update: found and erased when a deletion request asks for it."""

from functools import partial

from portal.page_refresh.services import touch_areas
from portal.tenants.payloads import Payloads, register_payloads
from portal.tenants.personal_data import each_once, fold, register_holding
from portal.trust_center.kinds import AREA
from portal.trust_center.models import Subscriber, SubscriberQuerySet, Update


def erase(rows: SubscriberQuerySet) -> None:
    """Delete them, with the groups they are in."""
    rows.delete()
    touch_areas(AREA)


def register_personal_data() -> None:
    register_holding(
        "Subscribers of updates",
        rows=lambda email: Subscriber.objects.of_person(fold(email)),
        erase=erase,
        addresses=lambda: each_once(Subscriber.objects.exclude(folded_email="")),
    )
    register_payloads("Recipients of updates", Payloads(kind=Update, changed=partial(touch_areas, AREA)))
