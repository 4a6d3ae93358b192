"""Mail addresses in the text of contracts and in notes, for deletion requests.

The contract is not about that person alone: its text stays, without the address.
"""

from functools import partial

from portal.contracts.models import ContractPage, Terms
from portal.contracts.services.store import AREA
from portal.page_refresh.services import touch_areas
from portal.tenants.personal_data import Rows, fold
from portal.tenants.texts import Texts, register_texts


def _pages_likely(email: str) -> Rows:
    # A page on which the address is broken over two lines has its two halves; the part before the at is rarely broken.
    return ContractPage.objects.having([fold(email).partition("@")[0]])


def _search_anew(page: ContractPage) -> tuple[str]:
    page.search = page.text.casefold()
    return ("search",)


def register_personal_data() -> None:
    show = partial(touch_areas, AREA)
    pages = Texts(kind=ContractPage, columns=("text",), changed=show, likely=_pages_likely, renew=_search_anew)
    notes = Texts(kind=Terms, columns=("notes", "governed_by_words"), changed=show)
    register_texts([("Text of contracts", pages), ("Notes on contracts", notes)])
