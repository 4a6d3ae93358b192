"""Mail addresses in what was told: taken out when that person is erased (guarantee S11)."""

from functools import partial

from portal.notifications.models import AREA, Notification
from portal.page_refresh.services import touch_areas
from portal.tenants.texts import Texts, register_texts


def register() -> None:
    texts = Texts(kind=Notification, columns=("title", "text"), changed=partial(touch_areas, AREA))
    register_texts([("Notifications", texts)])
