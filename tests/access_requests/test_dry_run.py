"""The dry run: what the rules would have done to the past, and that it is what they then do."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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
from portal.access_requests.services.acting import apply_and_act
from portal.accounts.models import Account
from portal.trust_center.models import Resource
from tests.access_requests import rules
from tests.access_requests.conftest import make
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
