"""Whom to tell at a customer: as its contract says, else as the customer's own fields say, else who has access.

Looked up as a page is drawn and kept nowhere: who leaves the Trust Center, or is erased, is gone from the plan too.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import F, OrderBy, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from portal.access_requests.models import Viewer
from portal.accounts.merged_accounts import customers_of
from portal.accounts.models import Account
from portal.incidents.addresses import addresses_in
from portal.incidents.models import Notice
from portal.lib.key_batches import key_batches

MAX_VIEWERS = 3
OF_INCIDENTS = re.compile(r"contact|security|privacy|incident|breach|notif|legal|\bdpo\b|data\s+protection", re.IGNORECASE)
"""Custom fields of a customer that name somebody for this."""


@dataclass(frozen=True)
class Contact:
    """Somebody to tell, and where that was taken from."""

    description: str
    source: str


def contacts_of(notices: Iterable[Notice]) -> dict[int, list[Contact]]:
    """Return whom to tell of each customer, by the key of its notice; the likeliest first, all from one source."""
    rows = list(notices)
    found = {row.pk: [Contact(row.notify, _source_of(row))] for row in rows if row.notify}
    rest = [row for row in rows if not row.notify]
    wholes = customers_of(row.account_id for row in rest)
    account_ids = {row.pk: wholes[row.account_id].account_ids for row in rest}
    wanted = {each for ids in account_ids.values() for each in ids}
    fields, viewers = _by_fields(wanted), _viewers(wanted)
    for row in rest:
        ids = account_ids[row.pk]
        named = [each for account_id in ids for each in fields.get(account_id, ())]
        found[row.pk] = named or [each for account_id in ids for each in viewers.get(account_id, ())][:MAX_VIEWERS]
    return found


def _source_of(notice: Notice) -> str:
    promise = next((each for each in notice.promises if each["applies"] and each["notify"]), None)
    parts = [promise["contract"], promise["clause"]] if promise else []
    return f"from the contract {', '.join(filter(None, parts))}".strip() if any(parts) else "from the commitment"


def _by_fields(account_ids: set[str]) -> dict[str, list[Contact]]:
    found: dict[str, list[Contact]] = defaultdict(list)
    for batch in key_batches(account_ids):
        rows = Account.objects.filter(platform_id__in=batch).values_list("platform_id", "custom_fields")
        for account_id, fields in rows:
            for each in fields if isinstance(fields, list) else ():
                label, words = str(each.get("label") or ""), _text(each.get("value"))
                if OF_INCIDENTS.search(label) and addresses_in(words):
                    found[account_id].append(Contact(words[:300], f"from the customer's field “{label[:80]}”"))
    return found


def _viewers(account_ids: set[str]) -> dict[str, list[Contact]]:
    """Find people with access, who were active last first."""
    found: dict[str, list[Contact]] = defaultdict(list)
    newest: list[OrderBy | F] = [F("quiet_since").desc(nulls_last=True), F("created_at").desc(), F("id")]
    place = Window(RowNumber(), partition_by="account_id", order_by=newest)
    for batch in key_batches(account_ids):
        rows = Viewer.objects.active(timezone.now()).filter(account_id__in=batch).order_by()
        first = rows.annotate(place=place).filter(place__lte=MAX_VIEWERS).order_by("account_id", "place")
        for account_id, name, email in first.values_list("account_id", "name", "email"):
            words = f"{name} <{email}>" if name else email
            found[account_id].append(Contact(words, "Trust Center viewer"))
    return found


def _text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value or "")
