"""Addresses in promises and in the words of contracts, for deletion requests.

The promise itself stays: it is the company's, and only the address in it is the person's. Into the other columns the forms let
no address.
"""

from functools import partial

from portal.commitments.models import Commitment, Suggestion
from portal.commitments.selectors import AREA
from portal.commitments.services.commitments import searched
from portal.page_refresh.services import touch_areas
from portal.tenants.texts import Texts, register_texts


def _search_anew(row: Commitment) -> tuple[str]:
    row.search = searched(row)
    return ("search",)


def register_personal_data() -> None:
    show = partial(touch_areas, AREA)
    register_texts(
        [
            ("Commitments", Texts(kind=Commitment, columns=("notify", "quote"), changed=show, renew=_search_anew)),
            ("Suggested commitments", Texts(kind=Suggestion, columns=("quote",), changed=show)),
        ]
    )
