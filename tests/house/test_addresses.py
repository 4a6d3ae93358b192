"""Guarantees S1 and S2 over every address there is: an address without a case fails here by itself.

Each test makes one world and asks every address in it; it fails with all that it found, not with the first.
"""

from collections.abc import Callable

import pytest
from django.http import HttpResponse
from django.test import Client

from portal.tenants.models import Role
from tests.house.addresses import Address, addresses, written

ADDRESSES = addresses()
OF_A_TENANT = [address for address in ADDRESSES if address.is_of_a_tenant]
PUBLIC = (
    *("/healthz", "/readyz", "/metrics", "/hooks/", "/status/", "/answer/", "/calendar/", "/erasure/", "/invitation/"),
    *("/mail-domain/", "/company-sign-in/", "/slack/"),
)
METHODS = ("get", "post")

pytestmark = pytest.mark.both


def ask_all(
    client: Client,
    asked: list[Address],
    is_right: Callable[[Address, HttpResponse], bool],
    *,
    methods: tuple[str, ...] = METHODS,
    may_write: frozenset[str] | None = frozenset(),
) -> list[tuple[str, str, int, set[str]]]:
    """Ask every address with every method; return those that answered otherwise, or wrote to a table they may not."""
    wrong = []
    for address in asked:
        for method in methods:
            with written() as tables:
                response = getattr(client, method)(address.path)
            forbidden = set() if may_write is None else tables - may_write
            if forbidden or not is_right(address, response):
                wrong.append((method, address.path, response.status_code, forbidden))
    return wrong


def test_there_are_addresses_to_ask():
    assert len(OF_A_TENANT) > 100


def test_every_tenant_page_says_which_role_it_needs():
    assert [address.path for address in OF_A_TENANT if not isinstance(getattr(address.view, "role", None), Role)] == []


def test_s1_a_stranger_finds_no_tenant_page(client, mallory, globex, acme):
    client.force_login(mallory)
    assert ask_all(client, OF_A_TENANT, lambda _, response: response.status_code in (404, 405)) == []


def test_s1_signed_out_means_signed_out(client, acme):
    def is_right(address: Address, response: HttpResponse) -> bool:
        if address.path.startswith(PUBLIC):
            return response.status_code in (200, 400, 404, 405, 503)
        return response.status_code == 405 or response["Location"].startswith(("/accounts/login/", "/portfolio/"))

    asked = [address for address in ADDRESSES if not address.path.startswith(PUBLIC)]
    assert ask_all(client, asked, is_right) == []
    # What is public may note that it was asked.
    public = [address for address in ADDRESSES if address.path.startswith(PUBLIC)]
    assert ask_all(client, public, is_right, may_write=None) == []


OF_ONES_OWN = ("/settings/members/leave/", "/today/seen/", "/search/opened/", "/notifications/read/")
"""What a viewer may change: that they are one, what they have looked at, and what they are told."""


def test_s1_a_viewer_changes_nothing_but_what_is_their_own(client, bob):
    client.force_login(bob)
    asked = [address for address in OF_A_TENANT if not address.path.endswith(OF_ONES_OWN)]
    asked = [address for address in asked if "/settings/notifications/" not in address.path]
    wrong = ask_all(client, asked, lambda _, response: response.status_code in (403, 404, 405), methods=("post",))
    assert wrong == []


def test_s2_every_unsafe_method_needs_the_csrf_token(alice, acme):
    # The platform's deliveries are signed instead (specification section 6.1), and so is what identity providers and Slack say.
    signed = ("/hooks/", "/company-sign-in/acme/saml/", "/company-sign-in/acme/sign-out/", "/slack/")
    asked = [address for address in ADDRESSES if not address.path.startswith(signed)]
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(alice)
    assert ask_all(strict, asked, lambda _, response: response.status_code in (403, 405), methods=("post",)) == []


def test_s2_a_get_never_fails_and_never_writes(client, alice, acme):
    client.force_login(alice)
    wrong = ask_all(
        client,
        OF_A_TENANT,
        lambda _, response: response.status_code in (200, 302, 404, 405),
        methods=("get",),
        # Opening the webhooks page makes the tenant's receiver addresses; nothing else may be made by looking.
        may_write=frozenset({"inbox_endpoint"}),
    )
    assert wrong == []


def test_a_nul_in_an_address_fails_nothing(client, alice, acme):
    client.force_login(alice)
    wrong = []
    for address in OF_A_TENANT:
        query, tail = client.get(f"{address.path}?q=%00&cursor=%00"), client.get(f"{address.path}%00/")
        if query.status_code not in (200, 302, 404, 405) or tail.status_code != 404:
            wrong.append((address.path, query.status_code, tail.status_code))
    assert wrong == []
