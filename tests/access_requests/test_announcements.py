"""Switching something on says what it will do now: who is decided, only new ones instead, and all of it taken back (R6)."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.access_requests import rule_effects
from portal.access_requests.models import (
    AccessRequest,
    Decision,
    DecisionState,
    ListedDomain,
    ListKind,
    RuleSwitch,
    RuleVerdict,
    RuleVersion,
    SensitiveDocument,
)
from portal.access_requests.rule_effects import added_effects
from portal.access_requests.rulebook import Act, RuleBook
from portal.access_requests.services import automatic_decisions, kill_switch, rules, undo
from portal.access_requests.services.announcements import ONLY_NEW, WAITING_TOO, Choice, DecidesWaiting
from portal.access_requests.services.rules import current_book
from portal.audit.models import Entry
from portal.tenants.models import Role
from portal.trust_center.models import Resource
from tests.access_requests.conftest import PAGE, make, words
from tests.access_requests.rules import decision_of, make_account, put, rule
from tests.access_requests.test_rule_pages import sent

RULES = f"{PAGE}rules/"
CUSTOMERS = "id-Customers"
READS_REQUESTS = re.compile('(FROM|JOIN) "access_requests_accessrequest"')


@pytest.fixture
def admin(client, running, member):
    client.force_login(member(Role.ADMIN))
    return client


def apply_and_act() -> None:
    """Have the rules act on all that waits: beside a busy processor a turn ends before that."""
    automatic_decisions.apply_and_act(seconds=60)


@pytest.fixture
def eighteen(running):
    """Eighteen requests of a customer wait, and two of somebody else."""
    make_account("Helios", "helios.example")
    make("Elsewhere"), make("Nowhere")
    return [make(f"H{number:02}", email=f"h{number}@helios.example", hours=30 - number) for number in range(18)]


def listed(answer):
    return [each.request for each in answer.context["effects"].listed]


def seen(answer):
    """The digest that the page carries."""
    return answer.context["form"]["seen"].value()


def held():
    return set(Decision.objects.scheduled().values_list("access_request_id", flat=True))


def new_request(name="Late", domain="helios.example"):
    """One that reaches the platform a moment later."""
    return make(name, email=f"{name}@{domain}".lower(), hours=-0.001)


def turn_on(client, scope, *, version=1, rule_id=CUSTOMERS):
    page = client.get(f"{RULES}{rule_id}/try/")
    said = {"version": version, "scope": scope, "seen": seen(page)}
    return client.post(f"{RULES}{rule_id}/automatic/", said)


def test_r6_all_that_would_be_decided_are_listed_by_name_before_a_rule_is_on(admin, eighteen):
    put(rule(account="matched"))
    make("Past", email="past@helios.example", outcome="APPROVED")
    page = admin.get(f"{RULES}{CUSTOMERS}/try/")
    assert listed(page) == eighteen
    text = page.content.decode()
    for row in eighteen:
        assert f'href="{PAGE}{row.platform_id}/"' in text
        assert row.email in text
    assert [value for value, _ in page.context["form"].fields["scope"].choices] == [ONLY_NEW, WAITING_TOO]
    assert page.context["form"]["scope"].value() == ONLY_NEW
    assert page.context["total"] == 1  # the dry run stands beside it
    # Without a choice nothing is switched on: the page asks.
    asked = admin.post(f"{RULES}{CUSTOMERS}/automatic/", {"version": 1})
    assert (asked.status_code, listed(asked)) == (422, eighteen)
    assert not current_book().rules[0].is_automatic
    apply_and_act()
    assert held() == set()


def test_r6_only_new_ones_are_decided_when_that_was_chosen(admin, eighteen):
    put(rule(account="matched"))
    assert turn_on(admin, ONLY_NEW).status_code == 302
    apply_and_act()
    assert held() == set()
    late = new_request()
    apply_and_act()
    assert held() == {late.pk}
    assert "leaves this request to your team" in admin.get(f"{PAGE}{eighteen[0].platform_id}/").content.decode()
    assert current_book().rules[0].acts_from
    assert "only requests received after" in admin.get(RULES).content.decode()
    # Nor are they when the rules are applied anew, or the rule gets another name.
    admin.post(f"{RULES}{CUSTOMERS}/", sent(name="Renamed", account="matched"))
    assert (current_book().rules[0].name, current_book().rules[0].is_automatic) == ("Renamed", True)
    apply_and_act()
    assert held() == {late.pk}


def test_r6_a_request_that_is_here_is_never_new_whatever_the_platform_s_clock_says(admin, running):
    put(rule(account="unmatched"))
    ahead = make("Ahead", hours=-0.05)
    turn_on(admin, ONLY_NEW)
    apply_and_act()
    assert decision_of(ahead) is None


def test_r6_those_that_wait_are_decided_as_listed_and_one_action_takes_all_back(admin, eighteen):
    put(rule(account="matched"))
    turn_on(admin, WAITING_TOO)
    apply_and_act()
    assert held() == {row.pk for row in eighteen}
    [line] = admin.get(RULES).context["sending"]
    assert (line.rule_id, line.number, 0 < line.seconds_left <= 30) == (CUSTOMERS, 18, True)
    [banner] = admin.get(PAGE).context["pending_banner"].scheduled
    assert banner.number == 18
    assert f"{RULES}{CUSTOMERS}/undo/" in admin.get(PAGE).content.decode()
    assert admin.post(f"{RULES}{CUSTOMERS}/undo/").status_code == 302
    assert set(Decision.objects.values_list("state", flat=True)) == {DecisionState.UNDONE}
    assert Entry.objects.filter(action="access_request.undo").count() == 18
    # The rule is on, and what was taken back stays with people.
    apply_and_act()
    assert held() == set()
    assert AccessRequest.objects.waiting().count() == 20


def test_r6_the_banner_says_how_many_of_a_rule_are_taken_back_and_what_becomes_of_the_others(admin, three):
    put(rule(account="matched", automatic=True))
    apply_and_act()
    Decision.objects.filter(access_request=three[0]).update(state=DecisionState.AWAITING_SECOND)
    page = admin.get(PAGE).content.decode()
    assert "Approving 2 requests" in page
    assert "Undo all 3 from this rule" in page
    assert "If you undo them, your team decides the requests waiting now." in page
    admin.post(f"{RULES}{CUSTOMERS}/undo/")
    assert set(Decision.objects.values_list("state", flat=True)) == {DecisionState.UNDONE}


def test_r6_taking_back_also_stops_a_rule_that_is_in_the_middle_of_it(eighteen, owner):
    put(rule(account="matched", automatic=True))
    apply_and_act()
    Decision.objects.filter(access_request__in=eighteen[9:]).delete()
    RuleVerdict.objects.filter(access_request__in=eighteen[9:]).update(acted_at=None)
    assert kill_switch.undo_rule(CUSTOMERS, member=owner) == (9, 0)
    late = new_request()
    apply_and_act()
    assert held() == {late.pk}


def test_r6_taking_back_leaves_what_has_left_and_what_others_decided(running, owner):
    states = {
        "Left": (CUSTOMERS, DecisionState.SENDING),
        "Asked": (CUSTOMERS, DecisionState.AWAITING_SECOND),
        "Held": (CUSTOMERS, DecisionState.SCHEDULED),
        "Other": ("id-Other", DecisionState.SCHEDULED),
        "Person": ("", DecisionState.SCHEDULED),
    }
    for name, (rule_id, state) in states.items():
        named = {"rule_id": rule_id, "rule_name": rule_id, "decided_by_name": "Alice"}
        Decision.objects.create(access_request=make(name), verb="deny", state=state, **named)
    assert kill_switch.undo_rule(CUSTOMERS, member=owner) == (2, 0)
    undone = Decision.objects.filter(state=DecisionState.UNDONE)
    assert {each.access_request.name for each in undone} == {"Asked", "Held"}
    assert kill_switch.undo_rule(CUSTOMERS, member=owner) == (0, 0)


def test_r6_the_list_is_asked_again_when_it_is_no_longer_the_one_that_was_shown(admin, eighteen):
    put(rule(account="matched"))
    page = admin.get(f"{RULES}{CUSTOMERS}/try/")
    late = new_request()
    said = {"version": 1, "scope": WAITING_TOO, "seen": seen(page)}
    again = admin.post(f"{RULES}{CUSTOMERS}/automatic/", said)
    assert (again.status_code, listed(again)) == (422, [*eighteen, late])
    assert not current_book().rules[0].is_automatic
    assert turn_on(admin, WAITING_TOO).status_code == 302
    assert current_book().rules[0].is_automatic


def test_r6_what_somebody_has_decided_before_is_neither_listed_nor_decided(admin, eighteen, owner):
    put(rule(account="matched", automatic=True))
    apply_and_act()
    undo(decision_of(eighteen[0]), member=owner)
    kill_switch.stop_rules(member=owner)
    assert added_effects(RuleBook(), current_book()).number == 0


def test_r6_a_rule_that_is_on_and_edited_only_suggests_until_it_is_turned_on_again(admin, eighteen):
    put(rule(account="unmatched", automatic=True))
    answer = admin.post(f"{RULES}{CUSTOMERS}/", sent(account="matched"))
    assert answer["Location"] == f"{RULES}{CUSTOMERS}/try/"
    assert listed(admin.get(answer["Location"])) == eighteen
    apply_and_act()
    assert held() == set()


def change_of(kind):
    """Ways to have “Customers”, which is on, decide what another rule or a mark has kept from it."""
    first = rule("First", domains=("helios.example",))
    on = rule(automatic=True, account="matched", blocked=False, sensitive=False)
    match kind:
        case "moved":
            put(first, on)
            return f"{RULES}{CUSTOMERS}/move/", {"version": 1, "to": "up"}
        case "removed":
            put(first, on)
            return f"{RULES}id-First/remove/", {"version": 1}
        case "edited":
            put(first, on)
            return f"{RULES}id-First/", sent(name="First", domain_is="is", domains="other.example")
        case "started":
            put(on)
            RuleSwitch.objects.create(is_stopped=True)
            return f"{RULES}start/", {}
        case "unlisted":
            put(on)
            row = ListedDomain.objects.create(domain="helios.example", kind=ListKind.BLOCKED, listed_by_name="Alice")
            return f"{RULES}lists/{row.pk}/remove/", {}
        case "listed":
            put(rule(automatic=True, free_mail=True))
            return f"{RULES}lists/add/", {"domain": "helios.example", "kind": "free_mail", "why": ""}
        case _:
            put(on)
            for name in ("Report", "Plan"):
                Resource.objects.create(platform_id=name, title=name)
            SensitiveDocument.objects.create(resource_id="Report", marked_by_name="Alice")
            AccessRequest.objects.update(access_level="PARTIAL_ACCESS", requested_resources=["Report"])
            return f"{RULES}lists/sensitive/", {"documents": ["Plan"], "marked": ["Report"]}


KINDS = ["moved", "removed", "edited", "started", "unlisted", "listed", "sensitive"]


@pytest.mark.parametrize("kind", KINDS)
def test_r6_every_switch_that_would_decide_what_waits_lists_it_and_asks(admin, three, kind):
    path, said = change_of(kind)
    before = (current_book(), *ListedDomain.objects.all(), *SensitiveDocument.objects.values_list("resource_id"))
    apply_and_act()
    page = admin.post(path, said)
    assert listed(page) == three
    assert before == (current_book(), *ListedDomain.objects.all(), *SensitiveDocument.objects.values_list("resource_id"))
    assert {name for name, _ in page.context["fields"]} == set(said)
    apply_and_act()
    assert held() == set()
    assert admin.post(path, said | {"scope": WAITING_TOO, "seen": seen(page)}).status_code == 302
    apply_and_act()
    assert held() == {row.pk for row in three}


@pytest.mark.parametrize("kind", KINDS)
def test_r6_every_such_switch_can_be_for_new_ones_only(admin, three, kind):
    path, said = change_of(kind)
    apply_and_act()
    page = admin.post(path, said)
    assert admin.post(path, said | {"scope": ONLY_NEW, "seen": seen(page)}).status_code == 302
    apply_and_act()
    assert held() == set()
    late = new_request()
    if kind == "sensitive":
        AccessRequest.objects.filter(pk=late.pk).update(access_level="PARTIAL_ACCESS", requested_resources=["Report"])
    apply_and_act()
    assert held() == {late.pk}
    assert RuleVersion.objects.exists()


@pytest.mark.parametrize("scope", [ONLY_NEW, WAITING_TOO])
@pytest.mark.parametrize("kind", KINDS)
def test_no_such_switch_looks_at_what_waits_while_others_wait_for_the_lock(admin, three, kind, scope, monkeypatch):
    path, said = change_of(kind)
    said |= {"scope": scope, "seen": seen(admin.post(path, said))}
    lock, before = rules.lock_switch, []
    with CaptureQueriesContext(connection) as queries:
        monkeypatch.setattr(rules, "lock_switch", lambda: before.append(len(queries)) or lock())
        assert admin.post(path, said).status_code == 302
    [before] = before
    read = [bool(READS_REQUESTS.search(each["sql"])) for each in queries]
    assert any(read[:before])
    assert not any(read[before:])


def test_r6_a_switch_that_decides_nothing_is_one_press(admin, running):
    put(rule("First", domains=("other.example",)), rule(automatic=True, account="matched"))
    make("Elsewhere")
    assert admin.post(f"{RULES}{CUSTOMERS}/move/", {"version": 1, "to": "up"}).status_code == 302
    assert current_book().rules[0].id == CUSTOMERS


def test_r6_while_the_rules_are_stopped_a_change_decides_nothing_and_starting_asks(owner, eighteen):
    put(rule(account="matched"))
    kill_switch.stop_rules(member=owner)
    rules.make_automatic(CUSTOMERS, member=owner, seen=1)
    apply_and_act()
    assert held() == set()
    with pytest.raises(DecidesWaiting) as asked:
        kill_switch.start_rules(member=owner)
    assert [each.request for each in asked.value.effects.listed] == eighteen
    assert RuleSwitch.objects.get().is_stopped
    kill_switch.start_rules(member=owner, choice=Choice(ONLY_NEW))
    apply_and_act()
    assert held() == set()


def test_r6_a_rule_for_new_ones_only_would_still_be_tried_on_the_past(admin, eighteen):
    put(rule(account="matched"))
    make("Past", email="past@helios.example", outcome="DENIED")
    turn_on(admin, ONLY_NEW)
    assert admin.get(f"{RULES}dry-run/").context["against"] == 1


def test_r6_the_kill_switch_takes_back_what_a_rule_asked_a_second_person_for(owner, three):
    put(rule(account="matched", automatic=True, act=Act.SECOND))
    apply_and_act()
    assert Decision.objects.filter(state=DecisionState.AWAITING_SECOND).count() == 3
    assert kill_switch.stop_rules(member=owner) == 3


@pytest.mark.parametrize(("role", "status"), [(Role.ANALYST, 403), (Role.APPROVER, 302)])
def test_r6_approvers_take_back_and_nobody_below(client, three, member, role, status):
    put(rule(account="matched", automatic=True))
    apply_and_act()
    client.force_login(member(role))
    assert client.post(f"{RULES}{CUSTOMERS}/undo/").status_code == status
    assert len(held()) == (3 if status == 403 else 0)


def test_r6_the_same_list_has_the_same_name_and_another_has_not(eighteen):
    book = RuleBook(rules=(rule(account="matched", automatic=True),))
    effects = added_effects(RuleBook(), book)
    assert added_effects(RuleBook(), book).digest == effects.digest
    decided = Decision.objects.create(access_request=eighteen[17], verb="deny", decided_by_name="Alice")
    assert added_effects(RuleBook(), book).digest != effects.digest
    decided.delete()
    denying = RuleBook(rules=(rule(account="matched", automatic=True, act=Act.DENY),))
    assert added_effects(RuleBook(), denying).digest != effects.digest


def test_r6_of_more_than_a_page_holds_it_says_how_many_and_all_are_confirmed_together(admin, eighteen, monkeypatch):
    monkeypatch.setattr(rule_effects, "MAX_LISTED", 5)
    monkeypatch.setattr(rule_effects, "BATCH", 4)
    put(rule(account="matched"))
    page = admin.get(f"{RULES}{CUSTOMERS}/try/")
    assert listed(page) == eighteen[:5]
    text = words(page)
    assert "Waiting now: 18" in text
    assert "the 18 requests waiting now" in text
    assert "These have waited longest, and 13 more would be decided. Total: 18 by “Customers”." in text
    late = new_request()  # not among those that are listed, and yet the list is another one
    said = {"version": 1, "scope": WAITING_TOO, "seen": seen(page)}
    again = admin.post(f"{RULES}{CUSTOMERS}/automatic/", said)
    assert (again.status_code, again.context["effects"].number) == (422, 19)
    assert turn_on(admin, WAITING_TOO).status_code == 302
    apply_and_act()
    assert held() == {row.pk for row in (*eighteen, late)}


def test_r6_in_batches_each_request_has_the_facts_that_it_has_alone(running, monkeypatch):
    monkeypatch.setattr(rule_effects, "BATCH", 2)
    make_account("Helios", "helios.example")
    for number, domain in enumerate(("helios.example", "other.example", "helios.example", "gmail.com", "helios.example")):
        make(f"N{number}", email=f"n{number}@{domain}", hours=30 - number)
    make("Past", email="past@other.example", outcome="APPROVED", hours=99)
    make("Last", email="last@other.example", hours=1)
    book = RuleBook(rules=(rule(automatic=True, account="matched"), rule("Known", automatic=True, known=True)))
    effects = added_effects(RuleBook(), book)
    assert [(each.request.name, each.rule.name) for each in effects.listed] == [
        ("N0", "Customers"),
        ("N1", "Known"),
        ("N2", "Customers"),
        ("N4", "Customers"),
        ("Last", "Known"),
    ]
    assert [(rule.name, number) for rule, number in effects.by_rule] == [("Customers", 3), ("Known", 2)]


def test_r6_no_request_is_read_where_no_rule_acts(eighteen, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert added_effects(RuleBook(), RuleBook(rules=(rule(account="matched"),))).number == 0


def test_r6_new_settings_say_what_they_mean_for_what_waits_now(admin, eighteen):
    Decision.objects.create(
        access_request=eighteen[0], verb="approve", state=DecisionState.AWAITING_SECOND, decided_by_name="Alice"
    )
    page = admin.get(f"{PAGE}settings/")
    assert (page.context["waiting"], page.context["asked"]) == (20, 1)
    AccessRequest.objects.update(created_at=timezone.now() - timedelta(days=30))
    said = admin.post(f"{PAGE}settings/save/", {"deadline_hours": "1"}, follow=True)
    assert "20 of 20 waiting requests" in said.content.decode()
    assert Decision.objects.get().state == DecisionState.AWAITING_SECOND
