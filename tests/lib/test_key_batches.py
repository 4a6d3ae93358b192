import pytest

from portal.lib.key_batches import MAX_KEYS, key_batches


@pytest.mark.parametrize(
    ("number", "sizes"),
    [(0, []), (1, [1]), (MAX_KEYS, [MAX_KEYS]), (MAX_KEYS + 1, [MAX_KEYS, 1]), (3 * MAX_KEYS, [MAX_KEYS] * 3)],
)
def test_no_batch_has_more_keys_than_one_query_takes_and_none_is_empty(number, sizes):
    keys = [f"{each:05}" for each in range(number)]
    batches = key_batches(keys)
    assert [len(batch) for batch in batches] == sizes
    assert [key for batch in batches for key in sorted(batch)] == keys


def test_a_key_is_asked_for_once_and_an_empty_one_never():
    assert key_batches(key for key in ["b", "", "a", "b"]) == [{"a", "b"}]
    assert key_batches([""]) == []


def test_batches_are_in_the_order_of_the_keys_whatever_order_they_come_in():
    keys = [f"{each:05}" for each in range(2 * MAX_KEYS)]
    assert key_batches(reversed(keys)) == [set(keys[:MAX_KEYS]), set(keys[MAX_KEYS:])]
