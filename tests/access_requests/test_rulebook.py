"""The arithmetic of rules: what holds, what follows, what is kept, and what a change is called."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from portal.access_requests.rulebook import AccountMatch, Act, Action, Conditions, Facts, Level, RuleBook, decide
from portal.access_requests.rulebook.differences import differences, sentence
from tests.access_requests import rules
from tests.access_requests.rules import rule

pytestmark = pytest.mark.once
FULL = "FULL_ACCESS"
small = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def holds(facts: Facts, **asked) -> bool:
    return Conditions(**asked).hold(facts)


@small
@given(rules.books(), rules.facts)
def test_a_book_and_facts_survive_being_kept(book, facts):
    assert RuleBook.read(book.number, book.as_json()) == book
    assert Facts.read(facts.as_json()) == facts


@small
@given(rules.books(), rules.facts)
def test_the_first_rule_that_applies_counts_and_nothing_happens_without_one(book, facts):
    verdict = decide(book, facts)
    applying = [each for each in book.rules if each.conditions.hold(facts)]
    assert verdict.rule == (applying[0] if applying else None)
    assert verdict.version == book.number
    assert decide(book, facts) == verdict
    if not applying or not applying[0].is_automatic:
        assert verdict.act == Act.PEOPLE


@small
@given(rules.books(), rules.facts)
def test_nobody_is_let_in_by_itself_who_is_blocked_unclear_or_asks_for_something_unknown(book, facts):
    verdict = decide(book.all_automatic(), facts)
    is_unclear = (
        facts.is_blocked or facts.account == AccountMatch.SEVERAL or facts.asks_unknown or facts.access_level == "WATERMARKED"
    )
    if verdict.act in (Act.APPROVE, Act.SECOND):
        assert not is_unclear
    if verdict.rule and is_unclear and verdict.rule.action.grants:
        assert verdict.caution
    assert verdict.suggested == (verdict.rule.action.act if verdict.rule else Act.PEOPLE)


@small
@given(rules.conditions, rules.facts)
def test_each_condition_that_is_set_narrows(asked, facts):
    alone = [
        Conditions.read({"domain_is": asked.domain_is, "account_ids": asked.account_ids, name: value})
        for name, value in asked.as_json().items()
    ]
    assert asked.hold(facts) == all(each.hold(facts) for each in alone)


def test_a_domain_that_merely_looks_alike_is_not_meant():
    ends = {"domains": ("acme.example",), "domain_is": "ends"}
    assert holds(Facts(domain="acme.example"), **ends)
    assert holds(Facts(domain="eu.acme.example"), **ends)
    assert not holds(Facts(domain="notacme.example"), **ends)
    assert not holds(Facts(domain="eu.acme.example"), domains=("acme.example",))


def test_an_account_that_nobody_can_tell_is_neither_matched_nor_unmatched():
    several = Facts(account=AccountMatch.SEVERAL, account_id="a")
    assert not holds(several, account="matched")
    assert not holds(several, account="unmatched")
    assert not holds(several, account="one_of", account_ids=("a",))
    assert holds(Facts(account=AccountMatch.ONE, account_id="a"), account="one_of", account_ids=("a", "b"))


def test_everything_sensitive_is_left_to_people_when_the_grant_is_capped():
    book = RuleBook(rules=(rule(automatic=True, action={"level": Level.CAPPED}),))
    facts = Facts(access_level=FULL, is_sensitive=True)
    assert decide(book, facts).act == Act.APPROVE
    verdict = decide(book, replace(facts, has_harmless=False))
    assert (verdict.act, verdict.caution) == (Act.PEOPLE, "Every document it asks for is marked as sensitive.")


ALWAYS = "Always: approve, as requested, for 365 days, after the person's NDA."


def test_a_rule_reads_as_a_sentence():
    made = rule(
        domains=("a.example", "b.example", "c.example"),
        domain_is="ends",
        account="one_of",
        account_ids=("x",),
        account_ndas=("SIGNED", "NOT_REQUIRED"),
        contract=True,
        free_mail=False,
        blocked=False,
        office_hours=True,
        sensitive=False,
        known=True,
        level=FULL,
    )
    assert sentence(made, {"x": "Helios"}) == (
        "When the domain ends with a.example, b.example or c.example and the account is Helios"
        " and the company NDA is signed or not required and there is a contract on record and it is not a free-mail domain"
        " and the domain is not blocked and requested within office hours and no sensitive document is requested"
        " and the domain was approved before and the requested access is everything: approve, as requested, for 365 days,"
        " after the person's NDA."
    )
    assert sentence(rule(act=Act.DENY, action={"reason": "No."}), {}) == "Always: deny, saying “No”."


def test_what_changed_is_said_in_words():
    a, b, c = rule("A", contract=True), rule("B"), rule("C")
    old = RuleBook(number=1, rules=(a, b))
    assert differences(old, old, {}) == []
    assert differences(old, old.with_rule(c), {}) == [f"Added “C”: {ALWAYS}"]
    assert differences(old, old.without(a.id), {}) == ["Removed “A”."]
    assert differences(old, old.moved(b.id, -1), {}) == ["The order is now: “B”, “A”."]
    assert differences(old, old.automatic(a.id), {}) == ["“A” now auto-approves waiting and new requests."]
    assert differences(old.automatic(a.id), old, {}) == ["“A” now only suggests."]
    denies = replace(b, name="D", action=Action(act=Act.DENY))
    renamed, changed = differences(old, old.with_rule(denies), {})
    assert renamed == "“B” is now called “D”."
    assert changed == f"“D” was: {ALWAYS} Now: Always: deny, without a reason."


@small
@given(rules.books(), rules.books())
def test_books_that_differ_are_never_called_the_same(old, new):
    assert bool(differences(old, new, {})) == (old.rules != new.rules)
