"""S4: which addresses are those of the Internet, however one inside a network is written."""

import pytest

from portal.lib.walled_http import is_public

INSIDE = (
    "10.0.0.1", "127.0.0.1", "169.254.169.254", "100.64.0.1", "224.0.0.1", "::1", "fe80::1%eth0", "fd00::1",
    # The same written as one of IPv6: mapped, compatible, translated, and through the gateways that lead there.
    "::ffff:169.254.169.254", "::169.254.169.254", "::ffff:0:a9fe:a9fe", "64:ff9b::a9fe:a9fe", "64:ff9b:1::a9fe:a9fe",
    "2002:a9fe:a9fe::1", "fec0::1", "ff02::1",
)  # fmt: skip


@pytest.mark.parametrize("address", INSIDE)
def test_s4_an_address_inside_a_network_is_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:21f:cb07::1", "::ffff:93.184.215.14", "64:ff9b::5db8:d70e"])
def test_s4_an_address_of_the_internet_is_public(address):
    assert is_public(address)
