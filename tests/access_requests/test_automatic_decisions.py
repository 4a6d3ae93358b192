"""Rules at work: verdicts for what waits, decisions that are held, and every reason for which a rule must not act."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.access_requests.models import (
    AccessRequest,
    Decision,
    DecisionState,
    Outcome,
    RuleVerdict,
    RuleVersion,
    SensitiveDocument,
)
from portal.access_requests.rulebook import Act, Level, Nda
from portal.access_requests.services import automatic_decisions, kill_switch, rule_verdicts, undo
from portal.access_requests.services.announcements import WAITING_TOO, Choice, DecidesWaiting
from portal.access_requests.services.automatic_decisions import apply_and_act
from portal.access_requests.services.decision_audit import record_decision_done
from portal.access_requests.services.rule_verdicts import tenants_to_apply
from portal.access_requests.tasks import apply_rules, sweep_rules
from portal.audit.models import Entry, Source
from portal.connections.models import Connection
from portal.page_refresh.services import touch_areas
from portal.sync.models import Run, StaleMark
from portal.tenants.scope import tenant_scope
from portal.tenants.services import create_tenant
from portal.trust_center.models import Resource
from tests.access_requests.conftest import PAGE, address, make, words
from tests.access_requests.rules import compared, decision_of, make_account, put, rule

PARTIAL = "PARTIAL_ACCESS"


def work() -> None:
    """Do what the sweep rings for."""
    for tenant_id in tenants_to_apply():
        apply_rules(tenant_id)


def start_all(member) -> None:
    """Start the rules, and choose that they decide what waits as well."""
    with pytest.raises(DecidesWaiting) as asked:
        kill_switch.start_rules(member=member)
    kill_switch.start_rules(member=member, choice=Choice(WAITING_TOO, asked.value.effects.digest))


def waits(row) -> str:
    return RuleVerdict.objects.get(access_request=row).waits


def test_a_rule_suggests_and_says_why_in_row_and_pane(running, approver):
    make_account("Helios", "helios.example")
    put(rule("Customers", account="matched"))
    row, other = make("Helios"), make("Elsewhere")
    apply_and_act()
    verdict = RuleVerdict.objects.get(access_request=row)
    assert (verdict.act, verdict.rule_name, verdict.version, verdict.is_automatic) == ("approve", "Customers", 1, False)
    assert verdict.as_facts.account_id == "id-Helios"
    assert RuleVerdict.objects.get(access_request=other).act == Act.PEOPLE
    assert not Decision.objects.exists()
    assert "Customers" in words(approver.get(PAGE))
    pane = words(approver.get(address(row)))
    assert "When an account has the domain: approve" in pane
    assert "Rule" not in words(approver.get(address(other))).partition('id="access-request"')[2]


def test_a_rule_that_acts_holds_a_decision_with_its_version_and_the_facts(running):
    make_account("Helios", "helios.example")
    put(rule("Customers", automatic=True, account="matched", action={"expiry_days": 90, "nda": Nda.UNLESS_SIGNED}))
    row = make("Helios", company="Helios Ltd")
    apply_and_act()
    made = decision_of(row)
    assert (made.state, made.verb, made.rule_name, made.rule_version) == (DecisionState.SCHEDULED, "approve", "Customers", 1)
    assert (made.decided_by, made.send_at > timezone.now()) == (None, True)
    assert made.facts["rules"]["account_id"] == "id-Helios"
    assert made.terms["access_level"] == "FULL_ACCESS"
    assert made.terms["is_nda_required"] is False
    assert made.expires_at - timezone.now() > timedelta(days=89)
    apply_and_act()
    assert Decision.objects.count() == 1
    record_decision_done(made)
    entry = Entry.objects.get(action="access_request.approve")
    assert (entry.source, entry.details["rule"]) == (Source.RULE, {"name": "Customers", "version": 1})


def test_a_rule_denies_with_its_reason_or_asks_a_second_person(running):
    put(
        rule("Free mail", automatic=True, act=Act.DENY, free_mail=True, action={"reason": "Use your business address."}),
        rule("Others", automatic=True, act=Act.SECOND),
    )
    free, other = make("a", email="a@gmail.com"), make("Other")
    apply_and_act()
    assert (decision_of(free).verb, decision_of(free).reason) == ("deny", "Use your business address.")
    assert (decision_of(other).verb, decision_of(other).state) == ("approve", DecisionState.AWAITING_SECOND)


def test_a_capped_grant_leaves_out_what_is_sensitive(running):
    for key in "abc":
        Resource.objects.create(platform_id=key, title=key, is_public=key == "c")
    SensitiveDocument.objects.create(resource_id="a", marked_by_name="Alice")
    put(rule("Capped", automatic=True, action={"level": Level.CAPPED}))
    everything, some = make("All"), make("Some", level=PARTIAL, requested_resources=["a", "b"])
    only = make("Only", level=PARTIAL, requested_resources=["a"])
    apply_and_act()
    for row in (everything, some):
        assert (decision_of(row).terms["access_level"], decision_of(row).terms["resource_ids"]) == (PARTIAL, ["b"])
    assert decision_of(only) is None
    assert RuleVerdict.objects.get(access_request=only).caution == "Every document it asks for is marked as sensitive."


@pytest.mark.parametrize("kind", ["account", "access_request", "viewer", "resource"])
def test_a_rule_never_acts_before_everything_was_compared_lately(running, kind, approver):
    put(rule(automatic=True))
    row = make("Helios")
    compared(4)
    compared(but=kind)
    apply_and_act()
    assert decision_of(row) is None
    assert "more than 3 hours ago" in waits(row)
    assert "more than 3 hours ago" in words(approver.get(address(row)))
    compared()
    assert tenants_to_apply() == [running.pk]
    apply_and_act()
    assert decision_of(row)
    assert waits(row) == ""


def test_a_rule_about_contracts_needs_the_contracts_too(running):
    Run.objects.filter(kind="contract").update(finished_at=None)
    put(rule(automatic=True, contract=False))
    row = make("Helios")
    apply_and_act()
    assert waits(row) == "The contracts haven't been fully fetched yet."
    put(rule(automatic=True))
    apply_and_act()
    assert decision_of(row)


@pytest.mark.parametrize(
    ("kind", "key"), [("access_request", "id-Helios"), ("viewer", "viewer-1"), ("resource", "doc"), ("account", "id-Helios")]
)
def test_a_rule_never_acts_while_news_about_what_it_names_wait(running, kind, key):
    make_account("Helios", "helios.example")
    Resource.objects.create(platform_id="doc", title="doc")
    put(rule(automatic=True))
    row = make("Helios", level=PARTIAL, requested_resources=["doc"], viewer_id="viewer-1")
    StaleMark.objects.create(kind=kind, object_id=key)
    apply_and_act()
    assert decision_of(row) is None
    assert "haven't fetched the latest changes" in waits(row)
    StaleMark.objects.update(due_at=None)
    apply_and_act()
    assert decision_of(row)


def test_a_rule_never_acts_on_facts_that_have_changed_since(running, monkeypatch):
    put(rule(automatic=True, account="unmatched"))
    row = make("Helios")
    rule_verdicts.apply_rules(automatic_decisions.current_book())
    make_account("Helios", "helios.example")
    monkeypatch.setattr(automatic_decisions, "apply_rules", lambda book, *, seconds: False)
    apply_and_act()
    assert decision_of(row) is None


def test_what_is_provisional_or_disconnected_waits(running):
    put(rule(automatic=True))
    row = make("Helios", is_provisional=True)
    apply_and_act()
    assert waits(row) == "We're reading the request back from the platform."
    AccessRequest.objects.update(is_provisional=False)
    Connection.objects.update(state="suspended")
    apply_and_act()
    assert waits(row) == "The platform is not connected."
    assert decision_of(row) is None


def test_a_decision_that_somebody_undid_is_a_persons_from_then_on(running, owner):
    put(rule(automatic=True))
    row = make("Helios")
    apply_and_act()
    undo(decision_of(row), member=owner)
    for _ in range(2):
        RuleVerdict.objects.update(acted_at=None)
        apply_and_act()
    assert Decision.objects.count() == 1
    assert RuleVerdict.objects.get().is_left
    apply_and_act()
    assert tenants_to_apply() == []


def test_the_kill_switch_stops_what_is_about_to_happen_and_takes_back_what_has_not_left(running, owner, monkeypatch):
    put(rule(automatic=True))
    first = make("First")
    apply_and_act()
    second = make("Second")
    rule_verdicts.apply_rules(automatic_decisions.current_book())  # evaluated; the switch is pulled before it is held
    assert kill_switch.stop_rules(member=owner) == 1
    assert decision_of(first).state == DecisionState.UNDONE
    monkeypatch.setattr(automatic_decisions, "is_stopped", lambda: False)  # a worker that has looked before
    apply_and_act()
    assert decision_of(second) is None
    assert RuleVerdict.objects.get(access_request=second).act == "approve"  # it goes on suggesting
    assert kill_switch.stop_rules(member=owner) == 0
    assert [entry.action for entry in Entry.objects.filter(action__startswith="access_rules")] == ["access_rules.stop"]
    start_all(owner)
    apply_and_act()
    assert decision_of(second).state == DecisionState.SCHEDULED
    assert decision_of(first).state == DecisionState.UNDONE


def test_a_version_that_is_no_longer_the_newest_does_nothing(running):
    old = put(rule("Old", automatic=True))
    row = make("Helios")
    rule_verdicts.apply_rules(old)
    put()
    automatic_decisions.act_on_verdicts(old, seconds=5)
    assert decision_of(row) is None


def test_the_sweep_finds_changed_facts_and_rests_when_nothing_changed(running, globex):
    put(rule(automatic=True, account="matched"))
    row = make("Helios")
    sweep_rules()
    work()
    work()
    assert tenants_to_apply() == []
    make_account("Helios", "helios.example")
    touch_areas("accounts")  # as storing one does
    assert tenants_to_apply() == [running.pk]
    work()
    assert decision_of(row)
    with tenant_scope(globex.pk):
        assert not RuleVerdict.objects.exists()


def test_changed_facts_are_found_with_no_more_queries_where_there_are_many_tenants(
    running, alice, django_assert_max_num_queries
):
    put(rule(automatic=True))
    with CaptureQueriesContext(connection) as few:
        assert tenants_to_apply() == [running.pk]
    for number in range(3):
        with tenant_scope(create_tenant(f"Quiet {number}", owner=alice).pk):
            touch_areas("accounts", "contracts")
            rule_verdicts.apply_rules(RuleVersion.objects.create(number=1).book)
    with django_assert_max_num_queries(len(few)):
        assert tenants_to_apply() == [running.pk]


def test_verdicts_of_what_is_decided_go(running):
    put(rule())
    row = make("Helios")
    apply_and_act()
    AccessRequest.objects.filter(pk=row.pk).update(outcome=Outcome.APPROVED)
    apply_and_act()
    assert not RuleVerdict.objects.exists()
