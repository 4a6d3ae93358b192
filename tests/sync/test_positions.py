"""Looking one entry up in a list: what the list does not say is not taken for an answer."""

from collections.abc import Iterator

import pytest

from portal.platform_api.errors import NotFound, UnexpectedAnswer, Unreadable
from portal.platform_api.models import Account
from portal.platform_api.paging import Items, Unread
from portal.sync.services.positions import MAX_LOOKED_THROUGH, find_listed


def listed(number: int) -> Iterator[Account]:
    return (Account.read({"id": f"entry-{place}"}) for place in range(number))


def test_an_entry_is_found_by_its_id_and_one_that_a_whole_list_does_not_name_is_not_there():
    assert find_listed(listed(MAX_LOOKED_THROUGH), f"entry-{MAX_LOOKED_THROUGH - 1}").id == f"entry-{MAX_LOOKED_THROUGH - 1}"
    with pytest.raises(NotFound):
        find_listed(listed(MAX_LOOKED_THROUGH), "another")


def test_q15_an_entry_that_may_stand_further_back_is_not_said_to_be_gone():
    with pytest.raises(UnexpectedAnswer):
        find_listed(listed(MAX_LOOKED_THROUGH + 1), "another")


@pytest.mark.parametrize("unread", ["another", ""])
def test_q14_an_entry_that_may_be_one_that_cannot_be_read_is_not_said_to_be_gone(unread):
    with pytest.raises(Unreadable):
        find_listed(Items(listed(2), unread=[Unread(unread, "name is missing")]), "another")
    with pytest.raises(NotFound):
        find_listed(Items(listed(2), unread=[Unread("a third", "name is missing")]), "another")
    assert find_listed(Items(listed(2), unread=[Unread(unread, "name is missing")]), "entry-1").id == "entry-1"
