import json

from hypothesis import given
from hypothesis import strategies as st

from portal.lib.storable import storable

TEXTS = st.text(st.characters() | st.just("\x00") | st.sampled_from(["\ud800", "\udfff"]))
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
    max_leaves=20,
)


@given(JSON)
def test_whatever_comes_can_be_stored(value: object) -> None:
    text = json.dumps(storable(value), allow_nan=False, ensure_ascii=False)
    text.encode()
    assert "\\u0000" not in text


STORABLE_TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"))


@given(st.recursive(st.none() | st.booleans() | st.integers() | STORABLE_TEXTS, st.lists))
def test_what_can_be_stored_stays_as_it_is(value: object) -> None:
    assert storable(value) == value


def test_nesting_without_end_is_cut_off() -> None:
    value: list = []
    for _ in range(5000):
        value = [value]
    assert len(json.dumps(storable(value))) < 200
