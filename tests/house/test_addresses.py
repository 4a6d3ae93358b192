"""Guarantees S1 and S2 over every address there is: an address without a case fails here by itself."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import connection
from django.test import Client

from portal.tenants.models import Role
from tests.house.addresses import Address, addresses

ADDRESSES = addresses()
OF_A_TENANT = [address for address in ADDRESSES if address.is_of_a_tenant]
PUBLIC = ("/healthz", "/readyz", "/metrics", "/hooks/", "/status/", "/answer/", "/calendar/", "/erasure/")
METHODS = ("get", "post")
by_path = {"argvalues": ADDRESSES, "ids": [address.path for address in ADDRESSES]}
by_tenant_path = {"argvalues": OF_A_TENANT, "ids": [address.path for address in OF_A_TENANT]}


WRITE = re.compile(r'(?:INSERT INTO|UPDATE|DELETE FROM) "(\w+)"')


@contextmanager
def written() -> Iterator[set[str]]:
    """Collect the tables that statements write to; sessions are not ours."""
    tables: set[str] = set()

    def note(execute: Callable, sql: str, *arguments: object) -> object:
        tables.update(WRITE.findall(sql))
        return execute(sql, *arguments)

    with connection.execute_wrapper(note):
        yield tables
    tables.discard("django_session")


@pytest.mark.once
@pytest.mark.parametrize("address", **by_tenant_path)
def test_every_tenant_page_says_which_role_it_needs(address: Address):
    assert isinstance(getattr(address.view, "role", None), Role)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("address", **by_tenant_path)
def test_s1_a_stranger_finds_no_tenant_page(address: Address, method, client, mallory, globex, acme):
    client.force_login(mallory)
    with written() as tables:
        assert getattr(client, method)(address.path).status_code in (404, 405)
    assert tables == set()


@pytest.mark.once
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("address", **by_path)
def test_s1_signed_out_means_signed_out(address: Address, method, client, acme):
    if address.path.startswith(PUBLIC):
        assert getattr(client, method)(address.path).status_code in (200, 400, 404, 405, 503)
        return
    with written() as tables:
        response = getattr(client, method)(address.path)
    assert response.status_code == 405 or response["Location"].startswith(("/accounts/login/", "/portfolio/"))
    assert tables == set()


@pytest.mark.parametrize("address", **by_tenant_path)
def test_s1_a_viewer_changes_nothing(address: Address, client, bob):
    client.force_login(bob)
    with written() as tables:
        assert client.post(address.path).status_code in (403, 404, 405)
    assert tables == set()


@pytest.mark.once
@pytest.mark.parametrize("address", **by_path)
def test_s2_every_unsafe_method_needs_the_csrf_token(address: Address, alice, acme):
    if address.path.startswith("/hooks/"):
        return  # the platform's deliveries are signed instead (specification section 6.1)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(alice)
    assert strict.post(address.path).status_code in (403, 405)


@pytest.mark.parametrize("address", **by_tenant_path)
def test_s2_a_get_never_fails_and_never_writes_an_audit_row(address: Address, client, alice, acme):
    client.force_login(alice)
    with written() as tables:
        assert client.get(address.path).status_code in (200, 302, 404, 405)
    # Opening the webhooks page makes the tenant's receiver addresses; nothing else may be made by looking.
    assert tables <= {"inbox_endpoint"}


@pytest.mark.once
@pytest.mark.parametrize("address", **by_tenant_path)
def test_a_nul_in_an_address_fails_nothing(address: Address, client, alice, acme):
    client.force_login(alice)
    assert client.get(f"{address.path}?q=%00&cursor=%00").status_code in (200, 302, 404, 405)
    assert client.get(f"{address.path}%00/").status_code == 404
