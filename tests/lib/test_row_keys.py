"""Keys of rows that come back from a browser."""

import pytest

from portal.lib.row_keys import row_key, row_keys


@pytest.mark.parametrize("sent", ["", "x", "-1", "1.0", " 1", "\u0661", "\u00b2", "1" * 19, "9" * 5000, "\0"])
def test_what_is_no_key_names_no_row(sent):
    assert row_key(sent) == 0
    assert row_keys([sent, "7"]) == {7}


def test_keys_are_read_once_each():
    assert row_key("123456789012345678") == 123456789012345678
    assert row_keys(["3", "3", "03", "0"]) == {3}
