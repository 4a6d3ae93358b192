"""Changing rules: who may, what it makes, what stays, and what somebody else's change means."""

import pytest
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse

from portal.access_requests.models import ListedDomain, ListKind, NeverChanged, RuleVersion, SensitiveDocument
from portal.access_requests.rulebook import Action
from portal.access_requests.services import kill_switch, rules, tagging
from portal.access_requests.services.rules import RulesChanged, current_book
from portal.audit.models import Entry
from portal.calendars.models import OfficeHours
from portal.calendars.selectors import office_time
from portal.page_refresh.models import Area
from portal.page_refresh.services import share_reads
from portal.tenants.models import Role
from portal.trust_center.models import Resource
from tests.access_requests.rules import save
from tests.support.members import find_member


def test_every_change_makes_a_version_that_is_never_changed(owner):
    first = save(owner, "A", contract=True)
    second = save(owner, "B")
    rule_a, rule_b = current_book().rules
    third = rules.move_rule(rule_b.id, -1, member=owner, seen=2)
    fourth = save(owner, "A", rule_a.id, contract=False)
    fifth = rules.remove_rule(rule_b.id, member=owner, seen=4)
    assert [each.number for each in (first, second, third, fourth, fifth)] == [1, 2, 3, 4, 5]
    assert [rule.name for rule in RuleVersion.objects.get(number=3).book.rules] == ["B", "A"]
    assert third.changes == ["The order is now: “B”, “A”."]
    assert fifth.changes == ["Removed “B”."]
    assert {each.made_by_name for each in RuleVersion.objects.all()} == {str(owner.user)}
    with pytest.raises(NeverChanged):
        first.save()
    entries = Entry.objects.filter(action="access_rules.change")
    assert entries.count() == 5
    assert entries[0].details == {"version": 5, "changes": ["Removed “B”."]}


def test_saving_without_a_change_makes_no_version(owner):
    save(owner, "A")
    [rule] = current_book().rules
    assert save(owner, "A", rule.id).number == 1
    assert RuleVersion.objects.count() == 1


def test_a_rule_suggests_until_somebody_switches_it_and_again_once_it_is_changed(owner):
    save(owner, "A")
    [rule] = current_book().rules
    assert not rule.is_automatic
    rules.make_automatic(rule.id, member=owner, seen=1)
    assert current_book().rules[0].is_automatic
    save(owner, "Another name", rule.id)
    assert current_book().rules[0].is_automatic  # it does the same under another name
    save(owner, "Another name", rule.id, free_mail=True)
    assert not current_book().rules[0].is_automatic
    rules.make_automatic(rule.id, member=owner, seen=4)
    rules.make_automatic(rule.id, member=owner, seen=5, is_automatic=False)
    assert not current_book().rules[0].is_automatic


def test_whoever_looked_at_an_older_version_changes_nothing(owner):
    save(owner, "A")
    [rule] = current_book().rules
    save(owner, "B")
    for change in (
        lambda: save(owner, "A", rule.id, seen=1, contract=True),
        lambda: rules.remove_rule(rule.id, member=owner, seen=1),
        lambda: rules.move_rule(rule.id, 1, member=owner, seen=1),
        lambda: rules.make_automatic(rule.id, member=owner, seen=1),
        lambda: save(owner, "A", "gone", seen=2),
        lambda: rules.make_automatic("gone", member=owner, seen=2),
    ):
        with pytest.raises(RulesChanged):
            change()
    assert current_book().number == 2


@pytest.mark.parametrize("role", [Role.VIEWER, Role.ANALYST, Role.APPROVER])
def test_only_admins_change_rules_and_lists(owner, member, role):
    save(owner, "A")
    other = find_member(user=member(role))
    [rule] = current_book().rules
    row = tagging.list_domain("evil.example", kind=ListKind.BLOCKED, why="", member=owner)
    for change in (
        lambda: save(other, "B"),
        lambda: rules.remove_rule(rule.id, member=other, seen=1),
        lambda: rules.move_rule(rule.id, 1, member=other, seen=1),
        lambda: rules.make_automatic(rule.id, member=other, seen=1),
        lambda: kill_switch.start_rules(member=other),
        lambda: tagging.list_domain("b.example", kind=ListKind.BLOCKED, why="", member=other),
        lambda: tagging.unlist_domain(row, member=other),
        lambda: tagging.mark_sensitive({"a"}, shown=set(), member=other),
    ):
        with pytest.raises(PermissionDenied):
            change()
    if role < Role.APPROVER:
        with pytest.raises(PermissionDenied):
            kill_switch.stop_rules(member=other)
    assert current_book().number == 1


def test_there_are_no_more_rules_than_anybody_can_follow(owner, monkeypatch):
    monkeypatch.setattr(rules, "MAX_RULES", 1)
    save(owner, "A")
    with pytest.raises(rules.TooManyRules):
        save(owner, "B")
    [rule] = current_book().rules
    assert save(owner, "A", rule.id, action=Action(act="deny")).number == 2


def test_of_an_address_only_the_domain_is_kept(owner):
    row = tagging.list_domain(" Eve@Evil.Example. ", kind=ListKind.BLOCKED, why="Asked five times", member=owner)
    tagging.list_domain("evil.example", kind=ListKind.BLOCKED, why="Competitor", member=owner)
    [row] = ListedDomain.objects.all()
    assert (row.domain, row.why, row.listed_by_name) == ("evil.example", "Competitor", str(owner.user))
    tagging.unlist_domain(row, member=owner)
    assert not ListedDomain.objects.exists()
    assert not Entry.objects.filter(summary__icontains="eve@").exists()


def test_documents_are_marked_as_sensitive(owner):
    for key in "abc":
        Resource.objects.create(platform_id=key, title=key)
    tagging.mark_sensitive({"a", "b", "unknown"}, shown=set(), member=owner)
    tagging.mark_sensitive({"b", "c"}, shown={"a", "b"}, member=owner)
    tagging.mark_sensitive({"b", "c"}, shown={"b", "c"}, member=owner)
    assert set(SensitiveDocument.objects.values_list("resource_id", flat=True)) == {"b", "c"}
    assert Entry.objects.filter(action="access_rules.sensitive").count() == 2


def test_a_change_is_looked_at_by_the_office_hours_of_now_not_by_those_when_its_request_began(owner, rf):
    found = []

    def propose():
        found.append(office_time().zone)
        raise RulesChanged

    def answer(request):
        found.append(office_time().zone)
        # Somebody else, meanwhile.
        OfficeHours.objects.create(zone="Asia/Tokyo")
        Area.objects.update_or_create(name="calendars", defaults={"version": 9})
        with pytest.raises(RulesChanged):
            rules.make_announced(propose, None, pytest.fail)
        return HttpResponse()

    share_reads(answer)(rf.post("/"))
    assert [str(zone) for zone in found] == [OfficeHours().zone, "Asia/Tokyo"]
