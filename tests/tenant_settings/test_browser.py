"""The audit trail as it looks: its list, an entry, a search without result, and a trail that was touched."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from portal.audit.chain_checks import check_chain
from portal.audit.models import ChainCheck, Source
from portal.audit.services import record
from portal.tenants.scope import tenant_scope
from tests.support.page_checks import look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("settings-browser")]
PAGE = "/t/acme/settings/audit/"
TEXT = "Contoso Ltd agreed to a notice period of ninety days, unless the contract of the subsidiary says something else."


@pytest.fixture
def entries(acme, alice):
    with tenant_scope(acme.pk):
        roles = {"before": {"role": "Viewer"}, "after": {"role": "Admin"}}
        record(
            "member.change_role", target=("member", "bob@acme.example"), summary="Bob is now admin.", actor=alice, details=roles
        )
        terms = {"before": {"notice": None, "owner": "Bob"}, "after": {"notice": TEXT, "owner": "Alice Ames"}, "version": 3}
        record("contract.change", target=("contract", "65a0" * 40), summary=TEXT, source=Source.RULE, details=terms)
        for number in range(60):
            record("access_request.approve", target=("access_request", str(number)), summary=f"Approved {number}.", actor=alice)


def test_the_audit_trail_is_searched_and_an_entry_opened(page, live_server, session_cookie, acme, entries):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}{PAGE}")
    expect(page.get_by_text("Not checked yet")).to_be_visible()
    check_chain(acme.pk)
    page.get_by_role("link", name="Next").click()
    expect(page.get_by_text("62 entries, none changed or removed")).to_be_visible()
    look(page, "audit-1-list")
    page.get_by_label("Desk").select_option("members")
    page.get_by_label("From").fill(timezone.localdate().isoformat())
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_text("Role: Viewer → Admin")).to_be_visible()
    expect(page.get_by_text("Approved 59.")).to_be_hidden()
    look(page, "audit-2-filtered")
    page.goto(f"{live_server.url}{PAGE}?desk=contracts")
    page.get_by_role("link", name="Contoso").click()
    expect(page.get_by_role("heading", name="Before and after")).to_be_visible()
    look(page, "audit-3-entry")
    page.get_by_role("link", name="All entries of this object").click()
    expect(page.get_by_text("Only entries of one object.")).to_be_visible()
    page.get_by_role("link", name="Show all", exact=True).click()
    with tenant_scope(acme.pk):
        ChainCheck.objects.update(fault="Link 3: entry 7 was changed.")
    page.goto(f"{live_server.url}{PAGE}?q=nothing-like-it")
    expect(page.get_by_text("The audit trail was altered")).to_be_visible()
    look(page, "audit-4-broken")
