"""The pages about rules in a browser: sound on a desk and a phone, and one rule from its making to its first decision."""

import pytest
from playwright.sync_api import expect

from portal.access_requests.models import Decision, ListedDomain, SensitiveDocument
from portal.access_requests.services.automatic_decisions import apply_and_act
from portal.access_requests.services.rules import current_book
from portal.ui.samples import LONG
from tests.access_requests.conftest import PAGE, address
from tests.access_requests.rules import compared, make_account, put, rule
from tests.support.page_checks import look

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("access-browser")]


def test_every_page_of_the_rules_is_sound(page, live_server, session_cookie, desk):
    page.context.add_cookies([session_cookie])
    rules = f"{live_server.url}{PAGE}rules/"
    row = desk.waiting
    make_account("Northwind Traders", row.domain)
    page.goto(rules)
    look(page, "rules-1-empty")
    page.get_by_role("link", name="Create rule").click()
    expect(page.get_by_role("heading", name="New rule")).to_be_visible()
    page.get_by_label("Name").fill("Customers with an account")
    page.locator("#id_account").select_option("matched")
    page.locator("#id_blocked").select_option("no")
    look(page, "rules-2-form")
    page.get_by_role("button", name="Save as version 1").click()
    expect(page.get_by_text("When an account has the domain and the domain is not blocked")).to_be_visible()
    put(
        *current_book().rules,
        rule(
            "Free mail",
            act="deny",
            free_mail=True,
            action={"reason": "Please request access again from your business email address."},
        ),
        rule("Sensitive documents", automatic=True, act="second", sensitive=True),
    )
    apply_and_act()
    page.goto(rules)
    look(page, "rules-3-list")
    page.get_by_role("link", name="Dry run").click()
    expect(page.get_by_role("heading", name="Dry run")).to_be_visible()
    look(page, "rules-4-dry-run")
    page.goto(rules)
    page.get_by_role("link", name="Versions").click()
    expect(page.get_by_role("heading", name="Rule versions")).to_be_visible()
    look(page, "rules-5-versions")
    ListedDomain.objects.create(domain="rival.example", why="A competitor", listed_by_name="Alice Ames")
    SensitiveDocument.objects.create(resource_id=desk.documents[0].platform_id, marked_by_name="Alice Ames")
    page.goto(f"{rules}lists/")
    look(page, "rules-6-lists")
    page.goto(f"{live_server.url}{PAGE}")
    look(page, "rules-7-queue")
    page.goto(f"{live_server.url}{address(row)}")
    expect(page.get_by_text("Suggestion only. You decide.")).to_be_visible()
    look(page, "rules-8-pane")
    compared()
    page.goto(rules)
    page.get_by_role("link", name="Turn on “Customers with an account”…").click()
    expect(page.get_by_role("heading", name="Turn on auto-approve for “Customers with an account”?")).to_be_visible()
    expect(page.locator("#rule-effects").get_by_role("link", name=str(row), exact=True)).to_be_visible()
    look(page, "rules-9-try")
    page.get_by_label("New requests and").check()
    page.get_by_role("button", name="Turn on auto-approve").click()
    expect(page.get_by_text("“Customers with an account” now auto-approves waiting and new requests.")).to_be_visible()
    apply_and_act()
    assert Decision.objects.filter(access_request=row).exists()
    page.locator("[id^=sending-]", has_text="Customers with an account").get_by_role("button", name="Undo all").click()
    expect(page.get_by_text("undone")).to_be_visible()
    look(page, "rules-10-taken-back")
    assert not Decision.objects.waiting().filter(access_request=row).exists()
    page.get_by_role("button", name="Stop all rules").click()
    expect(page.get_by_text("The rules are stopped", exact=True)).to_be_visible()
    look(page, "rules-11-stopped")
    assert not Decision.objects.waiting().exists()


def test_the_accounts_of_a_rule_are_found_by_their_words(page, live_server, session_cookie, desk):
    page.context.add_cookies([session_cookie])
    make_account(LONG, "long.example")
    page.goto(f"{live_server.url}{PAGE}rules/new/")
    accounts = page.get_by_role("group", name="Accounts")
    expect(accounts).to_be_hidden()
    page.locator("#id_account").select_option("one_of")
    expect(accounts.get_by_role("checkbox")).to_have_count(1)
    look(page, "rule-account")
    for number in range(14):
        make_account(f"Helios {number}", f"helios{number}.example")
    page.reload()
    page.get_by_label("Name").fill("One of Helios")
    page.locator("#id_account").select_option("one_of")
    look(page, "rule-accounts")
    accounts.get_by_label("Find in Accounts").fill("13 helios")
    expect(accounts.get_by_role("checkbox")).to_have_count(1)
    accounts.get_by_label("Helios 13").check()
    page.get_by_role("button", name="Save as version 1").click()
    expect(page.get_by_text("Saved as version 1.")).to_be_visible()
    assert current_book().rules[0].conditions.account_ids == ("id-Helios 13",)
