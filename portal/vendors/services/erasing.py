"""People whom vendors name: erased when a deletion request asks for it. The vendors stay."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from django.db import models
from django.db.models import Q
from django.db.models.functions import Cast, Lower

from portal.page_refresh.services import touch_areas
from portal.platform_api.errors import EMAIL
from portal.platform_api.models import vendors as remote
from portal.tenants.personal_data import Rows, each_once, fold, register_holding
from portal.tenants.texts import Texts, alone, register_texts
from portal.vendors.kinds import AREA
from portal.vendors.models import Decision, Label, Part, Vendor
from portal.vendors.services.cleaning import without_person
from portal.vendors.services.storing import vendor_columns

BATCH = 500


def naming(model: type[Any], email: str) -> Rows:
    """Find the rows whose object names an address, also in the midst of a text."""
    # One database keeps other letters as they are, the other one as JSON writes them.
    likely = Q(text__contains=fold(email)) | Q(text__contains=json.dumps(fold(email))[1:-1])
    rows = model._default_manager.order_by().annotate(text=Lower(Cast("payload", models.TextField()))).filter(likely)
    pattern = alone(email)
    named = [pk for pk, payload in rows.values_list("pk", "payload") if pattern.search(json.dumps(payload, ensure_ascii=False))]
    found: Rows = model._default_manager.filter(pk__in=named)
    return found


def addresses(model: type[Any]) -> Iterator[str]:
    seen: set[str] = set()
    for payload in model._default_manager.order_by().values_list("payload", flat=True).iterator(BATCH):
        found = {each.strip(".") for each in EMAIL.findall(fold(json.dumps(payload, ensure_ascii=False)))}
        yield from found - seen
        seen |= found


def _of_vendor(payload: Any) -> dict[str, Any]:
    return vendor_columns(remote.Vendor.read(payload))


def _of_part(payload: Any) -> dict[str, Any]:
    return {"payload": payload}


def erase(columns_of: Callable[[Any], dict[str, Any]], rows: Rows, email: str) -> None:
    """Take one address out of these rows, and what was made of it."""
    for row in rows.select_for_update().order_by("pk"):
        columns = columns_of(without_person(row.payload, email))
        for name, value in columns.items():
            setattr(row, name, value)
        row.save(update_fields=list(columns))
    touch_areas(AREA)


def erase_owners(rows: Rows) -> None:
    rows.delete()
    touch_areas(AREA)


def register_personal_data() -> None:
    register_holding(
        "Owners of vendors",
        rows=lambda email: Label.objects.filter(folded_email=fold(email)),
        erase=erase_owners,
        addresses=lambda: each_once(Label.objects.exclude(folded_email="")),
    )
    for name, model, columns_of in (
        ("People named in vendors", Vendor, _of_vendor),
        ("People named in reviews of vendors", Part, _of_part),
    ):
        register_holding(
            name,
            rows=partial(naming, model),
            erase=partial(erase, columns_of),
            addresses=partial(addresses, model),
            keeps_rows=True,
        )
    comments = Texts(kind=Decision, columns=("comments",), changed=partial(touch_areas, AREA))
    register_texts([("Comments of decisions about vendors", comments)])
