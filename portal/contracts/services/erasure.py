"""Mail addresses in the text and the names of contracts and in notes, for deletion requests.

The contract is not about that person alone: its text stays, without the address.
"""

from functools import partial
from typing import Any

from django.db.models import F

from portal.contracts.models import Contract, ContractPage, Terms, Upload, UploadState
from portal.contracts.services.store import AREA, contract_columns
from portal.contracts.services.undecided import free_id, is_in_use
from portal.page_refresh.services import touch_areas
from portal.platform_api import models as remote
from portal.tenants.mentions import Mentions, register_mentions
from portal.tenants.personal_data import Rows, fold, register_holding
from portal.tenants.texts import ERASED, Texts, alone, register_texts, set_text

UNDER_WAY = (UploadState.SENDING.value, UploadState.UNCERTAIN.value)
"""Their external id tells whether the platform has them (guarantee W1): the follow-up check finds them after that."""
NAMED = ("name", "external_id", "search", "payload")


def _pages_likely(email: str) -> Rows:
    # A page on which the address is broken over two lines has its two halves; the part before the at is rarely broken.
    return ContractPage.objects.having([fold(email).partition("@")[0]])


def _search_anew(page: ContractPage) -> tuple[str]:
    page.search = page.text.casefold()
    return ("search",)


def _named_in(payload: Any) -> dict[str, Any]:
    columns = contract_columns(remote.Contract.read(payload), None)
    return {name: columns[name] for name in NAMED}


def _erase_from_uploads(rows: Rows, email: str) -> None:
    """Take one address out of the names of documents that have not left, or have arrived."""
    pattern = alone(email)
    for row in rows.exclude(state__in=UNDER_WAY).select_for_update().order_by("pk"):
        external_id = pattern.sub(ERASED, row.external_id)
        if external_id != row.external_id and is_in_use(external_id):
            external_id = free_id(external_id) or f"{ERASED} {row.pk}"
        texts = {"filename": row.filename, "last_error": row.last_error, "external_id": external_id}
        for column, text in texts.items():
            set_text(row, column, pattern.sub(ERASED, text))
        # Whoever was about to send it under its old name has to read it again.
        row.attempts = F("attempts") + 1
        row.save(update_fields=[*texts, "attempts"])
    touch_areas(AREA)


def register_personal_data() -> None:
    show = partial(touch_areas, AREA)
    uploads = Texts(kind=Upload, columns=("filename", "external_id", "last_error"), changed=show)
    register_holding(
        "Names of uploaded contracts",
        rows=lambda email: uploads.rows(email).exclude(state__in=UNDER_WAY),
        erase=_erase_from_uploads,
        addresses=uploads.addresses,
        keeps_rows=True,
    )
    register_mentions([("Names of contracts", Mentions(kind=Contract, columns_of=_named_in, changed=show))])
    pages = Texts(kind=ContractPage, columns=("text",), changed=show, likely=_pages_likely, renew=_search_anew)
    notes = Texts(kind=Terms, columns=("notes", "governed_by_words", "contract_name", "external_id"), changed=show)
    register_texts([("Text of contracts", pages), ("Notes on contracts", notes)])
