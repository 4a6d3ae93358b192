"""The public page: signed, revocable, limited, and silent about everybody."""

import re

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client

from portal.audit.models import Entry
from portal.deletion_requests import services
from portal.deletion_requests.models import DeletionRequest, Identity, Intake, IntakeLink, State
from portal.deletion_requests.services import links
from portal.lib.logs import hide
from portal.tenants.models import Role, Tenant
from portal.tenants.scope import tenant_scope
from tests.deletion_requests.conftest import EMAIL, MASKED, PAGE
from tests.support.members import find_member

pytestmark = pytest.mark.once
TOKEN = re.compile(rb'"X-CSRFToken": "[^"]+"')


@pytest.fixture
def address(approver, scoped) -> str:
    """The public page of acme."""
    assert approver.post(f"{PAGE}settings/link/").status_code == 302
    return f"/erasure/{IntakeLink.objects.get().token}/"


@pytest.fixture
def visitor() -> Client:
    return Client()


def ask(visitor, address, email=EMAIL, **changes):
    return visitor.post(address, {"email": email, "is_own": "on"} | changes)


def test_a_person_asks_and_an_unchecked_request_waits(visitor, address):
    assert b"Request the erasure of your data" in visitor.get(address).content
    answer = ask(visitor, address)
    assert b"Your request has arrived" in answer.content
    row = DeletionRequest.objects.get()
    assert (row.state, row.identity, row.intake, row.requested_by) == (State.RECEIVED, Identity.UNCHECKED, Intake.LINK, None)
    entry = Entry.objects.get(action="deletion_request.receive")
    assert (entry.who, MASKED in entry.summary) == ("System", True)


def test_it_tells_nothing_about_anybody(visitor, address):
    first, again = ask(visitor, address), ask(visitor, address, EMAIL.upper())
    assert TOKEN.sub(b"", first.content) == TOKEN.sub(b"", again.content)
    assert DeletionRequest.objects.count() == 1
    assert EMAIL.encode() not in first.content
    assert DeletionRequest.objects.get().reference.encode() not in first.content


def test_its_pages_are_kept_and_found_nowhere(visitor, address):
    for answer in (visitor.get(address), ask(visitor, address)):
        assert "no-store" in answer["Cache-Control"]
        assert answer["X-Robots-Tag"] == "noindex"
        assert answer["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize("typed", [{"email": "jane"}, {"email": ""}, {"is_own": ""}])
def test_an_incomplete_form_is_refused(visitor, address, typed):
    assert ask(visitor, address, **typed).status_code == 422
    assert DeletionRequest.objects.count() == 0


def test_it_takes_only_so_many_a_day(visitor, address, monkeypatch):
    monkeypatch.setattr(links, "MAX_A_DAY", 2)
    codes = [ask(visitor, address, f"p{number}@x.example").status_code for number in range(4)]
    assert codes == [200, 200, 429, 429]
    assert DeletionRequest.objects.count() == 2


def test_s9_one_client_does_not_use_up_the_day_of_all_others(visitor, address):
    codes = [ask(visitor, address, f"p{number}@x.example").status_code for number in range(21)]
    assert codes == [200] * 20 + [429]
    assert DeletionRequest.objects.count() == 20
    assert ask(Client(REMOTE_ADDR="198.51.100.7"), address).status_code == 200
    assert DeletionRequest.objects.count() == 21


def test_a_revoked_page_leads_nowhere_and_a_new_one_has_another_address(approver, visitor, address):
    approver.post(f"{PAGE}settings/link/", {"revoke": "yes"})
    assert visitor.get(address).status_code == 404
    assert ask(visitor, address).status_code == 404
    approver.post(f"{PAGE}settings/link/")
    renewed = f"/erasure/{IntakeLink.objects.alive().get().token}/"
    assert renewed != address
    assert visitor.get(renewed).status_code == 200
    assert (DeletionRequest.objects.count(), IntakeLink.objects.count()) == (0, 2)


def test_there_is_one_at_a_time(approver, address):
    approver.post(f"{PAGE}settings/link/")
    assert IntakeLink.objects.count() == 1


@pytest.mark.parametrize("change", [lambda token: token[:-1], lambda token: "x" + token, lambda token: token.partition(":")[0]])
def test_a_token_that_was_not_signed_here_leads_nowhere(visitor, address, change):
    assert visitor.get(f"/erasure/{change(address.split('/')[2])}/").status_code == 404


def test_the_page_of_a_closed_tenant_leads_nowhere(visitor, address, acme):
    Tenant.objects.filter(pk=acme.pk).update(closed_at="2026-01-01T00:00:00Z")
    assert visitor.get(address).status_code == 404


def test_s1_it_lands_in_its_own_tenant(visitor, address, globex):
    ask(visitor, address)
    with tenant_scope(globex.pk):
        assert DeletionRequest.objects.count() == 0


def test_s2_it_needs_the_token_of_the_form(address):
    assert ask(Client(enforce_csrf_checks=True), address).status_code == 403


def test_s6_its_address_stands_in_no_log(address):
    assert hide(address) == "/erasure/…"


@pytest.mark.parametrize("role", [Role.VIEWER, Role.ANALYST, Role.APPROVER])
def test_only_admins_give_it_out_and_see_its_address(client, address, member, role):
    user = member(role)
    client.force_login(user)
    page = client.get(f"{PAGE}settings/").content.decode()
    assert address not in page
    assert "Created by Alice Ames" in page
    for change in (services.make_link, services.revoke_link):
        with pytest.raises(PermissionDenied):
            change(member=find_member(user=user))


def test_an_admin_sees_its_address(approver, address):
    assert address in approver.get(f"{PAGE}settings/").content.decode()
