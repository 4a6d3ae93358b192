"""People whom somebody has named in the fields of a customer: erased when a deletion request asks. The customer stays."""

import json
from collections.abc import Iterator

from django.db import models
from django.db.models import Q
from django.db.models.functions import Cast, Lower

from portal.accounts.models import Account
from portal.accounts.services.storing import AREA, account_columns
from portal.page_refresh.services import touch_areas
from portal.platform_api import models as remote
from portal.platform_api.errors import EMAIL
from portal.tenants.erased_people import without_mention
from portal.tenants.personal_data import Rows, fold, register_holding
from portal.tenants.texts import alone

BATCH = 500


def naming(email: str) -> Rows:
    """Find the customers whose object names an address, also in the midst of a text."""
    # One database keeps other letters as they are, the other one as JSON writes them.
    likely = Q(text__contains=fold(email)) | Q(text__contains=json.dumps(fold(email))[1:-1])
    rows = Account.objects.order_by().annotate(text=Lower(Cast("payload", models.TextField()))).filter(likely)
    pattern = alone(email)
    named = [pk for pk, payload in rows.values_list("pk", "payload") if pattern.search(json.dumps(payload, ensure_ascii=False))]
    return Account.objects.filter(pk__in=named)


def erase(rows: Rows, email: str) -> None:
    for row in rows.select_for_update().order_by("pk"):
        columns = account_columns(remote.Account.read(without_mention(row.payload, email)))
        for name, value in columns.items():
            setattr(row, name, value)
        row.save(update_fields=list(columns))
    touch_areas(AREA)


def addresses() -> Iterator[str]:
    seen: set[str] = set()
    for payload in Account.objects.order_by().values_list("payload", flat=True).iterator(BATCH):
        found = {each.strip(".") for each in EMAIL.findall(fold(json.dumps(payload, ensure_ascii=False)))}
        yield from found - seen
        seen |= found


def register_personal_data() -> None:
    register_holding("People named in the fields of customers", rows=naming, erase=erase, addresses=addresses, keeps_rows=True)
