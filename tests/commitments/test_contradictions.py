"""Answers that contradict a contract: found by a sweep, kept as rows, dismissed with a reason."""

import re
from datetime import timedelta
from decimal import Decimal
from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.commitments.models import CheckProgress, Commitment, Contradiction, CustomerCheck
from portal.commitments.services import checks, end_commitment, resolve
from portal.commitments.services.stale_customers import CHECK
from portal.commitments.tasks import sweep_checks
from portal.commitments.views.contradictions import ON_A_PAGE
from portal.customers.services import merge, take_apart
from portal.questionnaires.models import Questionnaire, Response
from portal.tenants.models import Role, Tenant
from portal.tenants.scope import tenant_scope
from portal.tenants.services import create_tenant
from tests.commitments.conftest import PAGE, answer_anew, make_account, make_answer, make_contract, waiting, words, work
from tests.support.readings import all_was_read

ANSWERS = f"{PAGE}answers/"
QUESTION = "Do you notify customers of security incidents?"


@pytest.fixture
def account(owner, promise):
    """A customer that was promised to be told within 24 hours."""
    account = make_account("Northwind")
    contract = make_contract("MSA", account)
    promise(account, amount=Decimal(24), unit="hours", contract=contract, page=4, quote="within twenty-four (24) hours")
    return account


def found() -> list[str]:
    return [str(each) for each in Contradiction.objects.open()]


def test_an_answer_that_says_another_thing_is_listed_with_both_quotes(client, account):
    response = make_answer(account, QUESTION, "Yes. We notify our customers within 72 hours. Call us any time.")
    make_answer(account, QUESTION, "We notify within one day.")
    make_answer(make_account("Globex"), QUESTION, "Within 96 hours.")
    work()
    assert found() == ["72 hours against Breach notice: 24 hours"]
    told = words(client.get(ANSWERS))
    for text in (
        "within twenty-four (24) hours",
        "We notify our customers within 72 hours.",
        "Answer promises less",
    ):
        assert text in told
    assert "#page-4" in told
    assert f"/questionnaires/{response.questionnaire.platform_id}/responses/{response.platform_id}/" in told
    assert "Call us any time" not in told


def test_an_answer_to_a_merged_account_is_held_against_the_promise_to_the_main_one(account, owner):
    merged = make_account("Northwind Ltd")
    merge(account, merged, member=owner)
    work()
    make_answer(merged, QUESTION, "We notify within 72 hours.")
    work()
    assert len(found()) == 1


def test_answers_are_held_against_the_promises_anew_when_accounts_are_merged_and_unmerged(account, owner):
    other = make_account("Northwind Ltd")
    make_answer(other, QUESTION, "We notify within 72 hours.")
    work()
    assert found() == []
    merge(account, other, member=owner)
    work()
    assert len(found()) == 1
    take_apart(other, member=owner)
    work()
    assert found() == []


def test_accounts_without_a_promise_are_merged_and_nobody_is_checked(owner):
    merge(make_account("Globex"), make_account("Globex Ltd"), member=owner)
    assert not CustomerCheck.objects.exists()


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Within 12 hours.", ["harder"]),
        ("Within 24 hours", []),
        ("1 day", []),
        ("Within one business day.", ["easier"]),
        ("Without undue delay.", []),
        ("No.", []),
        ("By mail.", []),
    ],
)
def test_an_answer_is_compared_with_the_promise(account, answer, expected):
    make_answer(account, QUESTION, answer)
    work()
    assert list(Contradiction.objects.values_list("verdict", flat=True)) == expected


def test_an_answer_that_another_promise_agrees_with_is_no_contradiction(account, promise):
    promise(account, amount=Decimal(72), unit="hours")
    make_answer(account, QUESTION, "Within 72 hours.")
    work()
    assert found() == []


def test_places_are_compared_as_words(account, promise):
    promise(account, "data-location", words="within the European Union")
    make_answer(account, "Where is our data stored?", "In the United States.")
    make_answer(account, "Where is our data stored?", "In the European Union.")
    work()
    assert found() == ["within the United States against Data location: within the European Union"]


def test_it_follows_answers_and_promises(account, owner, promise):
    response = make_answer(account, QUESTION, "Within 72 hours.")
    work()
    assert len(found()) == 1
    answer_anew(response, "Within 24 hours.")
    work()
    assert found() == []
    answer_anew(response, "Within 48 hours.")
    work()
    commitment = Commitment.objects.get()
    end_commitment(commitment, seen=commitment.version, member=owner)
    assert found() == []
    work()
    assert not Contradiction.objects.exists()
    promise(account, amount=Decimal(36), unit="hours")
    work()
    assert found() == ["48 hours against Breach notice: 36 hours"]
    Questionnaire.objects.update(gone_at=timezone.now())
    assert found() == []


def test_what_was_put_away_stays_until_something_else_is_said(client, account):
    response = make_answer(account, QUESTION, "Within 72 hours.")
    work()
    row = Contradiction.objects.get()
    address = f"{ANSWERS}{row.pk}/resolve/"
    assert "Enter why both can stay" in words(client.post(address, {"seen": row.told}))
    assert "Leave email addresses out" in words(
        client.post(address, {"seen": row.told, "reason": "ask x@y.example"}, follow=True)
    )
    assert "has changed since" in words(client.post(address, {"seen": "9 hours", "reason": "fine"}))
    client.post(address, {"seen": row.told, "reason": "The answer was about another product"})
    assert found() == []
    settled = words(client.get(f"{ANSWERS}?show=settled"))
    assert "Alice Ames dismissed it" in settled
    assert "The answer was about another product" in settled
    answer_anew(response, "Within 72 hours.")
    work()
    assert found() == []
    answer_anew(response, "Within 96 hours.")
    work()
    assert found() == ["96 hours against Breach notice: 24 hours"]
    client.post(address, {"seen": "96 hours", "reason": "again"})
    client.post(f"{address}?show=settled", {"reopen": "1"})
    assert len(found()) == 1


def test_a_page_with_a_refused_reason_goes_on_asking_for_itself(client, account):
    for number in range(ON_A_PAGE + 1):
        make_answer(account, QUESTION, f"Within {number + 30} hours.")
    work()
    cursor = quote(client.get(ANSWERS).context["page"].next_cursor)
    [last] = client.get(f"{ANSWERS}?cursor={cursor}").context["pairs"]
    refused = client.post(
        f"{ANSWERS}{last.row.pk}/resolve/?cursor={cursor}", {"seen": last.row.told, "reason": "ask x@y.example"}
    )
    shown = refused.content.decode()
    assert refused.status_code == 422
    assert 'value="ask x@y.example"' in shown
    [polled] = re.findall(r'id="contradictions"[^>]* hx-get="([^"]+)"', shown)
    assert polled == f"{ANSWERS}?cursor={cursor}"
    inside = shown.partition('id="contradictions"')[2]
    links = {each for each in re.findall(r'href="([^"]+)"', inside) if "answers/" in each or each.startswith("?")}
    assert {f"{ANSWERS}", f"{ANSWERS}?show=settled"} < links
    assert not [each for each in links if "/resolve/" in each or each.startswith("?")]


def test_only_customers_with_promises_are_looked_at(account, owner):
    work()
    make_answer(make_account("Globex"), QUESTION, "Within 96 hours.")
    answer = make_answer(account, QUESTION, "Within 96 hours.")
    assert checks.tenants_to_check() == [owner.tenant_id]
    progress = checks._progress()
    checks._mark([(answer.questionnaire_id, answer.questionnaire.touched_at, "id-Globex")])
    assert waiting() == set()
    checks._mark([(answer.questionnaire_id, answer.questionnaire.touched_at, account.platform_id)])
    assert waiting() == {account.platform_id}
    assert progress.seen_at < answer.questionnaire.touched_at


def test_the_sweep_rings_for_those_who_wait(owner, account, monkeypatch):
    rung = []
    monkeypatch.setattr("portal.lib.enqueue.enqueue_on_commit", lambda task, *args: rung.append((task, args)))
    sweep_checks()
    assert rung == [(CHECK, (owner.tenant_id,))]
    work()
    rung.clear()
    sweep_checks()
    assert rung == []


def test_the_sweep_begins_no_second_row_of_turns_beside_one_that_is_under_way(owner, account):
    make_answer(account, QUESTION, "Within 96 hours.")
    assert checks.check_answers(seconds=-1)
    assert checks.tenants_to_check() == []
    # Its worker was killed, or the message for the next turn is lost.
    CheckProgress.objects.update(turn_at=timezone.now() - timedelta(minutes=2))
    assert checks.tenants_to_check() == [owner.tenant_id]
    assert not checks.check_answers(seconds=600)
    assert CheckProgress.objects.get().turn_at is None


def test_who_waits_is_found_with_no_more_queries_where_there_are_many_tenants(
    owner, account, alice, django_assert_max_num_queries
):
    with CaptureQueriesContext(connection) as few:
        assert checks.tenants_to_check() == [owner.tenant_id]
    for number in range(3):
        with tenant_scope(create_tenant(f"Quiet {number}", owner=alice).pk):
            make_answer(make_account("Northwind"), QUESTION, "Within 96 hours.")
            Questionnaire.objects.update(touched_at=timezone.now() - timedelta(hours=1))
            assert not checks.check_answers()
    with django_assert_max_num_queries(len(few)):
        assert checks.tenants_to_check() == [owner.tenant_id]
    Tenant.objects.filter(pk=owner.tenant_id).update(closed_at=timezone.now())
    assert checks.tenants_to_check() == []


def test_one_customer_that_cannot_be_checked_holds_up_no_other(account, promise, monkeypatch):
    other = make_account("Globex")
    promise(other, amount=Decimal(24), unit="hours")
    make_answer(account, QUESTION, "Within 72 hours.")
    make_answer(other, QUESTION, "Within 72 hours.")
    sound = checks._told

    def told(account_id, terms):
        if account_id == account.platform_id:
            raise RecursionError
        return sound(account_id, terms)

    monkeypatch.setattr(checks, "_told", told)
    work()
    assert [each.commitment.account_id for each in Contradiction.objects.all()] == [other.platform_id]
    assert CustomerCheck.objects.get(account_id=account.platform_id).attempts == checks.MAX_ATTEMPTS
    monkeypatch.setattr(checks, "_told", sound)
    promise(account, "deletion", amount=Decimal(30), unit="days")
    work()
    assert len(found()) == 2


def test_a_change_in_the_middle_of_a_check_is_checked_once_more(account, owner, monkeypatch):
    make_answer(account, QUESTION, "Within 72 hours.")
    work()
    sound = checks._told

    def told(account_id, terms):
        monkeypatch.setattr(checks, "_told", sound)
        end_commitment(Commitment.objects.get(), seen=Commitment.objects.get().version, member=owner)
        return sound(account_id, terms)

    checks.mark_customers([account.platform_id])
    monkeypatch.setattr(checks, "_told", told)
    work()
    assert not Contradiction.objects.exists()
    assert waiting() == set()


def test_an_address_in_an_answer_is_not_copied(client, account):
    make_answer(account, QUESTION, "We notify jane@northwind.example within 72 hours of an incident.")
    work()
    assert Contradiction.objects.get().quote == "We notify [address] within 72 hours of an incident."
    assert Response.objects.get().answer_text


def test_readers_see_the_pairs_and_cannot_put_them_away(client, account, member):
    make_answer(account, QUESTION, "Within 72 hours.")
    work()
    client.force_login(member(Role.VIEWER))
    page = words(client.get(ANSWERS))
    assert "promised 24 hours, answered 72 hours" in page
    assert "Dismiss…" not in page
    assert 'class="resolve"' not in page
    assert client.post(f"{ANSWERS}{Contradiction.objects.get().pk}/resolve/", {"reason": "x"}).status_code == 403


def test_an_empty_page_says_that_answers_and_contracts_agree(client, owner):
    all_was_read("questionnaire")
    assert "Answers and contracts agree" in words(client.get(ANSWERS))
    assert "Nothing dismissed" in words(client.get(f"{ANSWERS}?show=settled"))


def test_settling_takes_an_analyst(account, owner, member):
    make_answer(account, QUESTION, "Within 72 hours.")
    work()
    row = Contradiction.objects.get()
    resolve(row, reason="fine", seen=row.told, member=owner)
    row.refresh_from_db()
    assert (row.is_open, row.reason) == (False, "fine")
