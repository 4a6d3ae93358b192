"""People become rows, follow the platform, and are found by what the filters say."""

import csv
from io import StringIO
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from portal.audit.models import Entry
from portal.connections.services import Urgency, probes
from portal.people.filters import PersonFilters
from portal.people.kinds import PERSON
from portal.people.models import Group, IdpGroup, Person, PersonInGroup
from portal.people.models import people as people_module
from portal.people.search_hits import person_url
from portal.sync.models import Run, RunState
from portal.tenants import erased_people
from portal.tenants.models import Role
from tests.people.conftest import PAGE
from tests.sync.desk import two_minutes_pass

KINDS = {"people": Person, "groups": Group, "importable-idp-groups": IdpGroup}


def shown(client, query: str = "") -> set[str]:
    return {row.platform_id for row, _ in client.get(f"{PAGE}{query}").context["rows"]}


def here(model) -> dict:
    return dict(model.objects.filter(gone_at=None).values_list("platform_id", "payload"))


@pytest.mark.both
def test_every_list_is_copied_and_a_second_look_changes_nothing(desk):
    for kind, model in KINDS.items():
        assert here(model) == desk.there(kind), kind
        assert here(model)
    inside = {(row.person.platform_id, row.group_id) for row in PersonInGroup.objects.select_related("person")}
    assert inside == {(each["id"], group) for each in desk.there("people").values() for group in each["groupIds"]}
    before = {kind: list(model.objects.order_by("pk").values()) for kind, model in KINDS.items()}
    desk.compare()
    assert {kind: list(model.objects.order_by("pk").values()) for kind, model in KINDS.items()} == before


def test_what_changes_there_follows_and_what_is_deleted_is_gone_after_two_looks(client, owner, desk):
    first, second, *_ = desk.there("people")
    groups = [*desk.there("groups")]
    desk.objects.delete(desk.tenant_id, "people", first)
    desk.change("people", second, groupIds=groups[-1:], employment={"status": "NEVER_HEARD_OF"}, name=None, tasksSummary=None)
    desk.compare()
    two_minutes_pass()
    desk.drain()
    assert Person.objects.get(platform_id=first).gone_at
    row = Person.objects.get(platform_id=second)
    assert (row.status, row.name, row.tasks_status) == ("NEVER_HEARD_OF", "", "")
    assert list(row.groups.values_list("group_id", flat=True)) == groups[-1:]
    assert first not in shown(client)
    assert shown(client, "?status=NEVER_HEARD_OF") == {second}
    for each in (first, second):
        assert client.get(person_url("acme", each)).status_code == 200


def test_the_filters_show_exactly_what_they_say(client, owner, desk):
    people = desk.there("people").values()

    def ids(fits) -> set[str]:
        return {each["id"] for each in people if fits(each)}

    group = next(iter(desk.there("groups")))
    tasks = {
        "open": ("OVERDUE", "DUE_SOON", "OFFBOARDING_OVERDUE", "OFFBOARDING_DUE_SOON"),
        "overdue": ("OVERDUE", "OFFBOARDING_OVERDUE"),
        "done": ("COMPLETE", "OFFBOARDING_COMPLETE"),
    }
    assert shown(client) == ids(lambda each: True)
    assert shown(client, "?status=FORMER") == ids(lambda each: each["employment"]["status"] == "FORMER")
    assert shown(client, "?leave=now") == ids(lambda each: each["leaveInfo"]) != set()
    assert shown(client, f"?group={group}") == ids(lambda each: group in each["groupIds"])
    assert shown(client, f"?into={group}") == ids(lambda each: group not in each["groupIds"])
    for word, statuses in tasks.items():
        assert shown(client, f"?tasks={word}") == ids(lambda each, of=statuses: each["tasksSummary"]["status"] in of), word
    row = Person.objects.exclude(name="")[0]
    assert row.platform_id in shown(client, f"?q={row.email}")
    assert shown(client, "?q=nobody-is-called-so") == set()


def test_a_large_group_shows_the_same_people_as_a_small_one(desk, monkeypatch):
    group = PersonInGroup.objects.values_list("group_id", flat=True)[0]
    small = list(PersonFilters(group=group).rows().values_list("pk", flat=True))
    monkeypatch.setattr(people_module, "SMALL", 0)
    assert list(PersonFilters(group=group).rows().values_list("pk", flat=True)) == small != []


def test_a_person_shows_tasks_and_groups_whatever_the_platform_sends(client, owner, desk):
    row = Person.objects.filter(has_open_tasks=True)[0]
    page = client.get(person_url("acme", row.platform_id))
    assert {task.label for task in page.context["tasks"]} >= {"Trainings", "Policies to accept"}
    assert {group.platform_id for group in page.context["groups"]} == {*desk.there("people")[row.platform_id]["groupIds"]}
    odd = {"brandNew": {"taskType": "WATCH_A_FILM", "status": "SOMEDAY", "dueDate": "soon"}, "broken": 7}
    summary = desk.there("people")[row.platform_id]["tasksSummary"] | {"details": odd}
    desk.change("people", row.platform_id, tasksSummary=summary)
    desk.compare()
    [task] = client.get(person_url("acme", row.platform_id)).context["tasks"]
    assert (task.label, task.state[0], task.due_at) == ("Watch a film", "Someday", None)


@pytest.mark.usefixtures("within_a_minute")
def test_more_people_cost_no_more_queries(client, owner, desk):
    def queries() -> int:
        client.get(PAGE)
        with CaptureQueriesContext(connection) as captured:
            client.get(PAGE)
        return len(captured)

    few = queries()
    Person.objects.bulk_create([Person(platform_id=f"p{number}", name=f"P {number}", name_sort="p") for number in range(200)])
    assert queries() == few


def test_s8_the_export_is_what_the_list_shows_and_is_written_down(client, owner, desk):
    content = b"".join(client.post(f"{PAGE}export/?leave=now").streaming_content).decode()
    assert {line.split(",")[0].strip('"\ufeff') for line in content.splitlines()[1:]} == shown(client, "?leave=now")
    assert Entry.objects.filter(action="person.export").count() == 1


def test_s8_the_export_of_groups_is_what_their_list_shows_and_is_written_down(client, desk, member):
    client.force_login(member(Role.ANALYST))
    assert "groups/export/" in client.get(f"{PAGE}groups/").content.decode()
    name = Group.objects.order_by("pk")[0].name
    for query in ("", f"?{urlencode({'q': name})}", "?q=nobody-is-called-so"):
        content = b"".join(client.post(f"{PAGE}groups/export/{query}").streaming_content).decode("utf-8-sig")
        lines = list(csv.DictReader(StringIO(content)))
        rows = client.get(f"{PAGE}groups/{query}").context["page"].rows
        assert [(line["Id"], line["People"], line["Source"]) for line in lines] == [
            (row.platform_id, str(row.people_count), row.source_label) for row in rows
        ]
    summaries = Entry.objects.filter(action="person.export").values_list("summary", flat=True)
    assert list(summaries) == ["Exported groups as CSV."] * 3
    client.force_login(member(Role.VIEWER))
    assert client.post(f"{PAGE}groups/export/").status_code == 403


def test_s11_an_erased_person_goes_and_does_not_come_back(desk):
    row = Person.objects.exclude(email="")[0]
    assert erased_people.erase(row.email)["People of the company"] == 1
    desk.compare()
    assert row.platform_id in desk.there("people")
    assert not Person.objects.filter(platform_id=row.platform_id).exists()


def test_an_answer_of_html_keeps_the_rows_and_is_said(client, owner, desk, sandbox):
    before = shown(client)
    sandbox.fail("html", method="GET", path="/v1/people", times=9)
    desk.compare()
    assert Run.objects.get(kind=PERSON).state == RunState.FAILED
    page = client.get(PAGE)
    assert page.context["readiness"].problems
    assert {row.platform_id for row, _ in page.context["rows"]} == before


def test_a_refused_area_is_said_plainly_and_what_is_here_stays(client, owner, desk, sandbox):
    before = shown(client)
    sandbox.fail("status", value=403, path="/v1/groups*")
    sandbox.fail("status", value=403, path="/v1/people*")
    assert probes.probe(Urgency.PERSON)
    page = client.get(PAGE)
    assert b"The connection does not cover people and groups" in page.content
    assert {row.platform_id for row, _ in page.context["rows"]} == before


def test_an_analyst_reads_and_changes_no_group(client, desk, member):
    client.force_login(member(Role.ANALYST))
    page = client.get(PAGE)
    assert b'name="chosen"' not in page.content
    for path in ("groups/new/", "groups/import/", "change/"):
        assert client.post(f"{PAGE}{path}").status_code == 403
