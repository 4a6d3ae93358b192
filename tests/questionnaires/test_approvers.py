"""Naming who is to approve a questionnaire: on its page, and for many at once."""

import pytest

from portal.audit.services import history
from portal.inbox.routes import MIRRORS
from portal.questionnaires import services
from portal.questionnaires.changes import Action, Change
from portal.questionnaires.models import AssignableUser, BulkItem, Questionnaire
from portal.questionnaires.selectors import blockers
from portal.sandbox.objects import Objects
from portal.sync.services import drain_tenant
from portal.tenants.models import Role
from tests.questionnaires.conftest import address, let_work

HTMX = {"HX-Request": "true"}
NOBODY_IS_NAMED = ("No approver assigned", "")


@pytest.fixture
def people(desk):
    services.ask_for_owners()
    drain_tenant(MIRRORS)
    return list(AssignableUser.objects.approvers())


@pytest.fixture
def row(desk, people, analyst):
    """A questionnaire that nobody is to approve."""
    desk.change_there(desk.questionnaire, approverAssignment=None)
    desk.fetch()
    return desk.questionnaire


def name(client, row, approver, **options):
    return client.post(f"{address(row)}approver/", {"approver": approver}, **options)


def test_r8_an_approver_is_named_replaced_and_removed(desk, analyst, row, people):
    first, second = people[:2]
    assert NOBODY_IS_NAMED in blockers(row)
    answer = name(analyst, row, first.platform_id, headers=HTMX)
    assert f"Approver: {first.name}" in answer.content.decode()
    assert desk.there(row)["approverAssignment"]["id"] == first.platform_id
    row.refresh_from_db()
    assert NOBODY_IS_NAMED not in blockers(row)
    assert name(analyst, row, second.platform_id).status_code == 302
    assert name(analyst, row, "nobody").status_code == 302
    row.refresh_from_db()
    assert (desk.there(row).get("approverAssignment"), row.approver_name) == (None, "")
    told = [
        (entry.action, entry.who, entry.details["before"], entry.details["after"])
        for entry in history("questionnaire", row.platform_id)
    ]
    assert told == [
        ("questionnaire.approver", "Alice Ames", before, after)
        for before, after in ((second.name, ""), (first.name, second.name), ("", first.name))
    ]


def test_the_owner_stays_who_it_is(desk, analyst, row, people):
    before = desk.there(row).get("ownerAssignment")
    name(analyst, row, people[0].platform_id)
    assert desk.there(row).get("ownerAssignment") == before


def test_only_the_people_whom_the_platform_lets_approve_are_offered(analyst, row, people, wire):
    AssignableUser.objects.filter(pk=people[0].pk).update(may_approve=False)
    form = analyst.get(address(row)).context["approver_form"]
    offered = [key for key, _ in form.fields["approver"].choices]
    assert people[0].platform_id not in offered
    assert people[1].platform_id in offered
    assert name(analyst, row, people[0].platform_id, headers=HTMX).status_code == 422
    assert wire.patches == []


@pytest.mark.parametrize("role", [Role.ANALYST, Role.VIEWER])
def test_an_analyst_names_the_approver_and_a_viewer_does_not(client, member, row, people, wire, role):
    client.force_login(member(role))
    answer = name(client, row, people[0].platform_id)
    assert (answer.status_code, len(wire.patches)) == ((302, 1) if role == Role.ANALYST else (403, 0))


def test_w1_a_lost_answer_is_settled_by_looking(sandbox, analyst, row, people, wire):
    sandbox.fail("drop_answer", method="PATCH", times=1)
    assert name(analyst, row, people[0].platform_id).status_code == 302
    assert len(wire.patches) == 1
    assert Questionnaire.objects.get(pk=row.pk).approver_name == people[0].name


def test_r5_a_tenant_without_the_feature_is_told_so(sandbox, analyst, row, people):
    sandbox.control("POST", "/switches", advanced_questionnaires=False)
    answer = name(analyst, row, people[0].platform_id, headers=HTMX)
    assert answer.status_code == 422
    assert "advanced questionnaire feature" in answer.content.decode()
    assert not history("questionnaire", row.platform_id)


def test_r5_a_platform_that_says_yes_and_keeps_nobody_is_not_believed(desk, analyst, row, people, monkeypatch):
    save = Objects.save

    def forget_approver(objects, tenant_id, kind, body, **options):
        return save(
            objects, tenant_id, kind, body | ({"approverAssignment": None} if kind == "questionnaires" else {}), **options
        )

    monkeypatch.setattr(Objects, "save", forget_approver)
    answer = name(analyst, row, people[0].platform_id, headers=HTMX)
    assert answer.status_code == 422
    assert "advanced questionnaire feature" in answer.content.decode()
    assert not history("questionnaire", row.platform_id)


def test_many_get_an_approver_at_once(desk, analyst, row, people):
    rows = Questionnaire.objects.order_by("pk")
    sent = {"action": "approver", "chosen": [one.pk for one in rows]}
    asked = analyst.post("/t/acme/questionnaires/bulk/", sent)
    assert people[0].name in asked.content.decode()
    assert analyst.post("/t/acme/questionnaires/bulk/", sent | {"confirmed": "1", "approver": "stranger"}).status_code == 422
    sent |= {"confirmed": "1", "approver": people[0].platform_id}
    assert analyst.post("/t/acme/questionnaires/bulk/", sent).status_code == 302
    let_work()
    assert {desk.there(one)["approverAssignment"]["id"] for one in rows} == {people[0].platform_id}
    assert set(rows.values_list("approver_name", flat=True).order_by()) == {people[0].name}
    assert [entry.action for entry in history("questionnaire", row.platform_id)] == ["questionnaire.approver"]


def test_w4_where_the_feature_is_missing_a_run_says_why(sandbox, desk, alice_here, row, people):
    sandbox.control("POST", "/switches", advanced_questionnaires=False)
    change = Change(action=Action.APPROVER, owner_id=people[0].platform_id, owner_name=people[0].name)
    services.start_bulk_run(change, member=alice_here, questionnaires=[row.pk])
    let_work()
    assert "advanced questionnaire feature" in BulkItem.objects.get().description
