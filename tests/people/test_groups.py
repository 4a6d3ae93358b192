"""Groups are created once, imported one by one, and filled person by person; a lost answer never does anything twice."""

import pytest
from django.utils import timezone

from portal.audit.models import Entry
from portal.page_refresh.services import touch_areas
from portal.people.kinds import PERSON
from portal.people.models import Group, GroupItem, GroupRun, IdpGroup, Person
from portal.people.search_hits import group_url
from portal.platform_api.areas.people import Groups
from portal.platform_api.errors import Unavailable
from portal.platform_writes.models import ItemState
from portal.sandbox.api.people import groups
from tests.people.conftest import PAGE
from tests.support.desks import compare_late

NEW, IMPORT, CHANGE = f"{PAGE}groups/new/", f"{PAGE}groups/import/", f"{PAGE}change/"
CALL = "/v1/groups"
OFFERED = "importable-idp-groups"


def named(desk, name: str) -> list[dict]:
    return [each for each in desk.there("groups").values() if each["name"] == name]


def change(client, verb: str, group: Group, people: list[Person]):
    """Confirm a change of people, as the page that asks sends it."""
    data = {"action": verb, "confirmed": "1", "group": group.platform_id, "chosen": [row.pk for row in people]}
    query = "into" if verb == "add" else "group"
    return client.post(f"{CHANGE}?{query}={group.platform_id}", data)


def outside_and_inside(group: Group) -> tuple[list[Person], list[Person]]:
    inside = Person.objects.filter(groups__group_id=group.platform_id)
    return list(Person.objects.exclude(pk__in=inside)[:3]), list(inside[:3])


def team() -> Group:
    return Group.objects.get(name="Security team")


def states() -> list[str]:
    return list(GroupItem.objects.order_by("pk").values_list("state", flat=True))


def test_a_group_is_created_on_the_platform_and_shown(client, owner, desk):
    contact = Person.objects.exclude(email="")[0].email
    answer = client.post(NEW, {"name": "Auditors", "description": "For the audit.", "contact": contact})
    [there] = named(desk, "Auditors")
    assert answer["Location"] == group_url("acme", there["id"])
    row = Group.objects.get(platform_id=there["id"])
    assert (row.description, row.is_imported, row.contact[0] != "") == ("For the audit.", False, True)
    assert list(Entry.objects.filter(target_id=row.platform_id).values_list("action", flat=True)) == ["group.create"]
    again = client.post(NEW, {"name": "Auditors"})
    assert again.status_code == 422
    assert len(named(desk, "Auditors")) == 1


def test_a_lost_answer_never_makes_two_groups_of_one(client, owner, desk, sandbox):
    sandbox.fail("drop_answer", method="POST", path=CALL, times=1)
    client.post(NEW, {"name": "Auditors"})
    client.post(NEW, {"name": "Auditors"})
    assert len(named(desk, "Auditors")) == 1
    assert len(desk.calls("POST", "/groups")) == 1
    assert Group.objects.filter(name="Auditors").count() == 1


def test_an_open_page_of_a_group_that_was_deleted_there_offers_nothing_more(client, owner, desk):
    group = team()
    page = client.get(group_url("acme", group.platform_id))
    assert "Add people" in page.content.decode()
    Group.objects.filter(pk=group.pk).update(gone_at=timezone.now())
    touch_areas("people")
    headers = {"HX-Request": "true", "HX-Target": "group", "Seen": page.context["page_version"]}
    refreshed = client.get(group_url("acme", group.platform_id), headers=headers).content.decode()
    assert 'id="group-head" hx-swap-oob="true"' in refreshed
    assert "No longer on the platform" in refreshed
    assert "Add people" not in refreshed


@pytest.mark.both
def test_people_are_added_and_removed_and_each_says_what_became_of_it(client, owner, desk):
    group = team()
    new, _ = outside_and_inside(group)
    missing = new[-1]
    desk.objects.delete(desk.tenant_id, "people", missing.platform_id)
    before = group.people_count
    asked = client.post(f"{CHANGE}?into={group.platform_id}", {"action": "add", "chosen": [row.pk for row in new]})
    assert asked.context["form"]["group"].value() == group.platform_id
    assert not GroupRun.objects.exists(), "it is only asked"
    run_url = change(client, "add", group, new)["Location"]
    desk.let_work()
    run = GroupRun.objects.get()
    assert run_url == f"{PAGE}changes/{run.pk}/"
    by_person = dict(GroupItem.objects.values_list("person_id", "state"))
    assert by_person == {row.pk: ItemState.FAILED if row == missing else ItemState.DONE for row in new}
    assert GroupItem.objects.get(person=missing).description
    assert client.get(run_url).context["counts"].failed == 1
    for row in new[:-1]:
        assert group.platform_id in desk.there("people")[row.platform_id]["groupIds"]
    group.refresh_from_db()
    assert group.people_count == before + 2 == desk.there("groups")[group.platform_id]["personnelCount"]
    assert {row.pk for row in client.get(group_url("acme", group.platform_id)).context["page"].rows} >= {
        row.pk for row in new[:-1]
    }
    change(client, "remove", group, new[:1])
    desk.let_work()
    assert group.platform_id not in desk.there("people")[new[0].platform_id]["groupIds"]
    done = Entry.objects.filter(target_id=new[0].platform_id).order_by("pk").values_list("action", flat=True)
    assert list(done) == ["person.join_group", "person.leave_group"]


def test_w1_a_lost_answer_is_settled_by_looking(client, owner, desk, sandbox):
    group = team()
    [person, *_], _ = outside_and_inside(group)
    sandbox.fail("drop_answer", method="POST", path=f"{CALL}/*/people", times=1)
    sandbox.fail("status", method="GET", path="/v1/people/*", value=503, times=1)
    change(client, "add", group, [person])
    desk.let_work()
    assert states() == [ItemState.DONE]
    assert len(desk.calls("POST", f"/groups/{group.platform_id}/people")) == 1
    assert desk.there("people")[person.platform_id]["groupIds"].count(group.platform_id) == 1


def test_who_has_left_the_group_meanwhile_counts_as_removed(client, owner, desk):
    group = team()
    _, [person, *_] = outside_and_inside(group)
    left = [each for each in desk.there("people")[person.platform_id]["groupIds"] if each != group.platform_id]
    desk.change("people", person.platform_id, groupIds=left)
    change(client, "remove", group, [person])
    desk.let_work()
    assert states() == [ItemState.DONE]
    assert not person.groups.filter(group_id=group.platform_id).exists()


def test_a_group_that_is_gone_fails_plainly_and_is_looked_at(client, owner, desk):
    group = team()
    [person, *_], _ = outside_and_inside(group)
    desk.objects.delete(desk.tenant_id, "groups", group.platform_id)
    change(client, "add", group, [person])
    desk.let_work()
    assert states() == [ItemState.FAILED]
    assert group.platform_id not in desk.there("people")[person.platform_id]["groupIds"]


def test_groups_are_imported_and_each_that_was_not_says_why(client, owner, desk):
    rows = list(IdpGroup.objects.all()[:3])
    desk.objects.delete(desk.tenant_id, OFFERED, rows[2].platform_id)
    answer = client.post(IMPORT, {"chosen": [row.pk for row in rows]}, follow=True)
    said = [str(each) for each in answer.context["messages"]]
    assert len(said) == 2
    assert str(rows[2]) in said[1]
    desk.drain()
    for row in rows[:2]:
        [there] = named(desk, row.name)
        assert Group.objects.get(platform_id=there["id"]).is_imported
        assert Entry.objects.filter(action="group.import", target_id=there["id"]).count() == 1
    assert not IdpGroup.objects.present().filter(pk__in=[row.pk for row in rows]).exists()
    assert not named(desk, rows[2].name)


def test_q14_a_group_that_cannot_be_read_keeps_no_other_from_being_imported(client, owner, desk):
    unread, *rows = IdpGroup.objects.all()[:3]
    desk.change(OFFERED, unread.platform_id, junk="x" * 1_100_000)
    answer = client.post(IMPORT, {"chosen": [row.pk for row in rows]}, follow=True)
    [said] = [str(each) for each in answer.context["messages"]]
    assert all(str(row) in said for row in rows)
    assert [len(named(desk, row.name)) for row in rows] == [1, 1]
    assert list(IdpGroup.objects.present().filter(pk__in=[unread.pk, *(row.pk for row in rows)])) == [unread]


def take_its_id(desk, row: IdpGroup, **fields: object) -> None:
    """Have the platform offer a group without an id."""
    offered = desk.objects.get(desk.tenant_id, OFFERED, row.platform_id)
    desk.objects.delete(desk.tenant_id, OFFERED, row.platform_id)
    desk.objects.add(desk.tenant_id, OFFERED, offered | {"id": ""} | fields)


@pytest.mark.parametrize("fields", [{}, {"name": None}])
def test_q14_a_group_without_an_id_is_left_out_and_said_and_the_others_are_imported(client, owner, desk, fields):
    without_id, *rows = IdpGroup.objects.all()[:3]
    take_its_id(desk, without_id, **fields)
    answer = client.post(IMPORT, {"chosen": [row.pk for row in (without_id, *rows)]}, follow=True)
    levels = [each.level_tag for each in answer.context["messages"]]
    assert levels == ["success", "warning", "warning"], "imported, the chosen one, and that one was left out"
    assert [len(named(desk, row.name)) for row in rows] == [1, 1]
    assert not named(desk, without_id.name)
    assert list(IdpGroup.objects.present().filter(pk__in=[without_id.pk, *(row.pk for row in rows)])) == [without_id]


def test_w1_a_group_that_loses_its_id_while_the_answer_is_lost_is_not_said_to_be_imported(client, owner, desk, monkeypatch):
    row = IdpGroup.objects.all()[0]

    def lost(*_):
        take_its_id(desk, row)
        raise Unavailable("POST", "/groups/import-from-idp")

    monkeypatch.setattr(Groups, "import_from_idp", lost)
    answer = client.post(IMPORT, {"chosen": [row.pk]}, follow=True)
    assert [each.level_tag for each in answer.context["messages"]] != ["success"]
    assert not Entry.objects.filter(action="group.import").exists()
    assert IdpGroup.objects.present().filter(pk=row.pk).exists()


def test_a_status_that_nobody_knows_is_settled_by_what_is_still_offered(client, owner, desk, monkeypatch):
    monkeypatch.setattr(groups, "SUCCESS", "IMPORTED")
    rows = list(IdpGroup.objects.all()[:2])
    answer = client.post(IMPORT, {"chosen": [row.pk for row in rows]}, follow=True)
    [said] = [str(each) for each in answer.context["messages"]]
    assert all(str(row) in said for row in rows)
    assert [len(named(desk, row.name)) for row in rows] == [1, 1]
    assert not IdpGroup.objects.present().filter(pk__in=[row.pk for row in rows]).exists()
    assert Entry.objects.filter(action="group.import").count() == 2


def test_a_lost_answer_to_an_import_imports_nothing_twice(client, owner, desk, sandbox):
    rows = list(IdpGroup.objects.all()[:2])
    data = {"chosen": [row.pk for row in rows]}
    sandbox.fail("drop_answer", method="POST", path=f"{CALL}/import-from-idp", times=1)
    client.post(IMPORT, data)
    client.post(IMPORT, data)
    assert [len(named(desk, row.name)) for row in rows] == [1, 1]
    assert len(desk.calls("POST", "/import-from-idp")) == 1
    assert not IdpGroup.objects.present().filter(pk__in=data["chosen"]).exists()
    desk.compare()
    assert {row.name for row in rows} <= set(Group.objects.values_list("name", flat=True))


def test_q11_a_list_from_before_a_change_takes_nobody_out_again(client, owner, desk):
    group = team()
    joining = outside_and_inside(group)[0][0]

    def join():
        change(client, "add", group, [joining])
        desk.let_work()

    compare_late(desk.mirrors, PERSON, join)
    assert Person.objects.filter(pk=joining.pk, groups__group_id=group.platform_id).exists()


@pytest.mark.parametrize(
    ("key", "name"), [("company-directory", "Company directory"), ("Okta", "Okta"), ("azure_ad", "Azure ad"), ("", "")]
)
def test_an_identity_provider_is_called_by_words(key, name):
    assert IdpGroup(integration=key).provider == name
    assert Group(source="company-directory").source_label == "Imported from company directory"
