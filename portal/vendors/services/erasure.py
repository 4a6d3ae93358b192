"""People whom vendors name: erased when a deletion request asks for it. The vendors stay."""

from functools import partial
from typing import Any

from portal.page_refresh.services import touch_areas
from portal.platform_api.models import vendors as remote
from portal.tenants.mentions import Mentions, register_mentions
from portal.tenants.personal_data import Rows, each_once, fold, register_holding
from portal.tenants.texts import Texts, register_texts
from portal.vendors.kinds import AREA
from portal.vendors.models import Decision, Label, Part, Vendor
from portal.vendors.services.payloads import NAMES
from portal.vendors.services.store import vendor_columns

CHANGED = partial(touch_areas, AREA)


def _of_vendor(payload: Any) -> dict[str, Any]:
    return vendor_columns(remote.Vendor.read(payload))


def _of_part(payload: Any) -> dict[str, Any]:
    return {"payload": payload}


def erase_owners(rows: Rows) -> None:
    rows.delete()
    CHANGED()


def register_personal_data() -> None:
    register_holding(
        "Owners of vendors",
        rows=lambda email: Label.objects.filter(folded_email=fold(email)),
        erase=erase_owners,
        addresses=lambda: each_once(Label.objects.exclude(folded_email="")),
    )
    register_mentions(
        [
            ("People named in vendors", Mentions(kind=Vendor, columns_of=_of_vendor, names=NAMES, changed=CHANGED)),
            ("People named in reviews of vendors", Mentions(kind=Part, columns_of=_of_part, names=NAMES, changed=CHANGED)),
        ]
    )
    register_texts([("Comments of decisions about vendors", Texts(kind=Decision, columns=("comments",), changed=CHANGED))])
