import base64

import pytest

from portal.lib.sealed import InvalidKey, KeyRing, Locked

OLD, NEW = (base64.b64encode(bytes([number]) * 32).decode() for number in (1, 2))


def test_a_sealed_value_opens_at_its_place():
    ring = KeyRing([NEW])
    assert ring.open(ring.seal("grüße", place="a:1"), place="a:1") == "grüße"


def test_t12_a_value_moved_to_another_place_is_refused():
    ring = KeyRing([NEW])
    with pytest.raises(Locked):
        ring.open(ring.seal("secret", place="row:1"), place="row:2")


@pytest.mark.parametrize("change", [lambda b: b[:-1], lambda b: b + b"x", lambda b: b[:-1] + bytes([b[-1] ^ 1]), lambda b: b""])
def test_a_changed_value_is_refused(change):
    ring = KeyRing([NEW])
    with pytest.raises(Locked):
        ring.open(change(ring.seal("secret", place="p")), place="p")


def test_t12_the_first_key_seals_and_every_key_opens():
    old = KeyRing([OLD]).seal("secret", place="p")
    ring = KeyRing([NEW, OLD])
    assert ring.open(old, place="p") == "secret"
    with pytest.raises(Locked):
        KeyRing([OLD]).open(ring.seal("secret", place="p"), place="p")


@pytest.mark.parametrize("key", ["", "short", "!" * 44, base64.b64encode(b"x" * 31).decode()])
def test_a_key_that_is_none_is_named_without_being_shown(key):
    with pytest.raises(InvalidKey) as error:
        KeyRing([key])
    assert not key or key not in str(error.value)
