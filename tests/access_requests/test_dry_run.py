"""The dry run: what the rules would have done to the past, and that it is what they then do."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portal.access_requests import dry_run
from portal.access_requests.dry_run import try_on, try_on_past
from portal.access_requests.models import (
    AccessRequest,
    Decision,
    DecisionState,
    ListedDomain,
    Outcome,
    RuleVerdict,
    SensitiveDocument,
)
from portal.access_requests.rulebook import Act
from portal.access_requests.services.automatic_decisions import apply_and_act
from portal.accounts.models import Account
from portal.page_refresh.services import touch_areas
from portal.trust_center.models import Resource
from tests.access_requests import rules
from tests.access_requests.conftest import PAGE, make, words
from tests.access_requests.rules import decision_of, make_account, put, rule


def test_the_dry_run_takes_the_facts_of_then_where_they_were_kept(running):
    account = make_account("Helios", "helios.example")
    book = put(rule("Customers", automatic=True, account="matched"), rule("Rest", automatic=True, act=Act.DENY))
    kept = make("Helios")
    apply_and_act()
    Decision.objects.update(state=DecisionState.DONE)
    AccessRequest.objects.update(outcome=Outcome.APPROVED)
    make("Lost", outcome="APPROVED", hours=9)
    make("Bad", outcome="DENIED", hours=9)
    account.delete()
    run = try_on_past(book)
    assert {each.request.name: (each.act, each.is_of_then, each.disagrees) for each in run.tried} == {
        "Helios": ("approve", True, False),
        "Lost": ("deny", False, True),
        "Bad": ("deny", False, False),
    }
    assert run.counts() == {"": 3, "in": 1, "second": 0, "out": 2, "people": 0, "against": 1}
    assert run.of_then == 1
    assert [each.request for each in run.of_kind("in")] == [kept]


def test_the_facts_of_then_are_read_for_those_that_are_tried(running, monkeypatch):
    monkeypatch.setattr(dry_run, "BATCH", 2)
    put(rule(automatic=True))
    rows = [make(f"N{number}", hours=9 - number) for number in range(5)]
    apply_and_act()
    Decision.objects.update(state=DecisionState.DONE)
    assert set(dry_run.kept_facts(rows[1:])) == {row.pk for row in rows[1:]}
    assert all(each.is_of_then for each in try_on(put(rule()), rows).tried)


@pytest.fixture
def three_past(running, monkeypatch):
    """One past request more than are tried: the oldest, which was denied."""
    monkeypatch.setattr(dry_run, "MAX_TRIED", 2)
    make("Oldest", outcome="DENIED", hours=9)
    make("Older", outcome="DENIED", hours=8)
    return make("Newest", outcome="APPROVED", hours=7)


LATEST = "the latest 2 requests decided so far (3 in all)"


def test_r3_the_dry_run_of_a_part_says_so_wherever_it_has_a_figure(three_past, approver):
    put(rule())
    run = try_on_past(put(rule()))
    assert [each.request.name for each in run.tried] == ["Newest", "Older"]
    assert (run.looked_at, run.past, run.is_partial) == (2, 3, True)
    page = approver.get(f"{PAGE}rules/dry-run/?as=all")
    assert page.context["page"].paginator.count == 2
    assert f"would have done with {LATEST}: 0 tried with the facts at the time, 2 with today" in words(page)
    before = words(approver.get(f"{PAGE}rules/id-Customers/try/"))
    assert f"The rule applies to 2 of {LATEST}:" in before
    assert f"Of {LATEST}, it would have decided 1 the other way." in before
    file = approver.post(f"{PAGE}rules/dry-run/export/?as=all")
    assert "-version-2-latest-2-" in file["Content-Disposition"]
    assert len(b"".join(file.streaming_content).splitlines()) == 3


def test_r3_so_does_the_page_that_asks_before_a_change(three_past, approver):
    put(rule("First"), rule(automatic=True))
    make("Waiting")
    page = approver.post(f"{PAGE}rules/id-First/remove/", {"version": 1})
    assert f"This rule applies to 2 of {LATEST}, and would have decided 1 of them the other way." in words(page)


def test_r3_as_many_as_are_tried_are_all(three_past, approver):
    book = put(rule())
    assert try_on_past(book).is_partial
    AccessRequest.objects.filter(name="Oldest").delete()
    touch_areas("access_requests")  # as storing does
    run = try_on_past(book)
    assert (len(run.tried), run.is_partial, run.reach) == (2, False, "the requests decided so far")
    assert "with the 2 requests decided so far:" in words(approver.get(f"{PAGE}rules/dry-run/"))


def test_r3_a_rule_that_applies_to_no_past_request_does_not_say_that_there_are_none(running, approver):
    make("Past", outcome="APPROVED")
    put(rule(account="matched"))
    page = words(approver.get(f"{PAGE}rules/id-Customers/try/"))
    assert "The rule applies to 0 of the requests decided so far" in page
    assert "No requests decided yet" not in page
    AccessRequest.objects.all().delete()
    assert "No requests decided yet" in words(approver.get(f"{PAGE}rules/id-Customers/try/"))


def test_what_a_rule_only_suggests_is_said_in_words(running, approver):
    put(rule(act=Act.SECOND))
    make("Past", outcome="APPROVED")
    assert "“Customers” suggests: approve after second approval" in words(approver.get(f"{PAGE}rules/dry-run/"))


@pytest.mark.once
@settings(max_examples=12, deadline=None, suppress_health_check=[*HealthCheck])
@given(book=rules.books(), data=st.data())
def test_the_dry_run_equals_what_the_rules_then_do(running, book, data):
    for model in (RuleVerdict, Decision, AccessRequest, Account, ListedDomain, Resource, SensitiveDocument):
        model.objects.all().delete()
    make_account("Acme", "acme.example", data.draw(st.sampled_from(rules.NDAS)))
    make_account("Twin A", "twin.example")
    make_account("Twin B", "twin.example")
    for key in "ab":
        Resource.objects.create(platform_id=key, title=key)
    if data.draw(st.booleans()):
        SensitiveDocument.objects.create(resource_id="a", marked_by_name="Alice")
    if data.draw(st.booleans()):
        ListedDomain.objects.create(domain="helios.example", listed_by_name="Alice")
    for number, domain in enumerate(data.draw(st.lists(st.sampled_from(rules.DOMAINS), max_size=6))):
        make(
            f"n{number}",
            email=f"n{number}@{domain}",
            hours=data.draw(st.integers(1, 200)),
            level=data.draw(st.sampled_from(rules.LEVELS)),
            requested_resources=data.draw(st.none() | st.lists(st.sampled_from(["a", "b", "x"]), max_size=2, unique=True)),
            outcome=data.draw(st.sampled_from(["PENDING", "PENDING", "PENDING", "APPROVED"])),
        )
    pending = list(AccessRequest.objects.pending())
    real = put(*book.rules)
    said = {each.request.pk: each for each in try_on(real, pending).tried}
    apply_and_act()
    for row in pending:
        expected, made = said[row.pk], decision_of(row)
        verdict = RuleVerdict.objects.get(access_request=row)
        assert verdict.as_facts == expected.facts
        assert (verdict.act, verdict.version) == (expected.verdict.suggested, real.number)
        assert done(made) == expected.act
        if made:
            assert (made.rule_name, made.rule_version) == (expected.verdict.rule.name, real.number)
    # And once they have left, the dry run over the past still says what was done, from the facts that were kept.
    Decision.objects.update(state=DecisionState.DONE)
    AccessRequest.objects.filter(decisions__isnull=False).update(outcome=Outcome.APPROVED)
    again = {each.request.pk: each.act for each in try_on_past(real).tried}
    for made in Decision.objects.all():
        assert again[made.access_request_id] == said[made.access_request_id].act


def done(made: Decision | None) -> str:
    if made is None:
        return Act.PEOPLE
    return Act.SECOND if made.state == DecisionState.AWAITING_SECOND else made.verb
