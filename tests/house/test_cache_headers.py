"""What shows a secret, or an address that opens without signing in, is kept by no cache and by no browser."""

import re

import pytest

pytestmark = pytest.mark.django_db
OPEN_ADDRESS = re.compile(r"http://127\.0\.0\.1:8000/(?:status|answer|erasure|calendar|invitation)/")
LINKED = {
    "questionnaires/clocks/": "questionnaires/clocks/feed/",
    "contracts/calendar/": "contracts/calendar/feed/",
    "deletion-requests/settings/": "deletion-requests/settings/link/",
}
"""Each page that shows such an address, and where it is made."""


@pytest.mark.parametrize(("path", "making"), LINKED.items())
def test_a_page_with_an_open_address_is_kept_nowhere(client, alice, acme, path, making):
    client.force_login(alice)
    client.post(f"/t/acme/{making}")
    answer = client.get(f"/t/acme/{path}")
    assert OPEN_ADDRESS.search(answer.content.decode())
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize("path", ["2fa/totp/activate", "2fa", "sessions", "login", "password/reset"])
def test_the_pages_of_an_account_are_kept_nowhere(client, alice, path):
    client.force_login(alice)
    assert "no-store" in client.get(f"/accounts/{path}/")["Cache-Control"]
