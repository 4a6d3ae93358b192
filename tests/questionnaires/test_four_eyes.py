"""Where a tenant has switched it on, nobody approves their own work; and only admins switch it."""

import pytest
from django.core.exceptions import PermissionDenied

from portal.audit.models import Entry
from portal.questionnaires import four_eyes, services
from portal.questionnaires.models import DeskRules, Questionnaire, Standing
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.questionnaires.conftest import address
from tests.questionnaires.reviews import again, approve, give_answers, return_it, seen
from tests.support.members import find_member

pytestmark = pytest.mark.once
RULES = "/t/acme/settings/questionnaires/"


@pytest.fixture
def rows(desk):
    return give_answers(desk, 2)


@pytest.fixture
def rule(alice_here):
    services.set_four_eyes(True, member=alice_here)


def edit(row, member, words):
    services.update_answer(again(row), member=member, seen=again(row).answer.fingerprint, parts={"p2": words})


def test_whoever_saved_an_answer_last_does_not_approve_it(client, alice, rows, rule, alice_here, reviewer):
    edit(rows[0], alice_here, "By Alice.")
    with pytest.raises(services.NotAllowed, match="You wrote this answer"):
        approve(rows[0], alice_here)
    client.force_login(alice)
    card = f"{address(rows[0].questionnaire)}review/{rows[0].platform_id}/"
    page = client.get(card).content.decode()
    assert four_eyes.WROTE in page
    assert 'data-key="a"' not in page
    refused = client.post(card, {"verdict": "approved", "seen": seen(rows[0])})
    assert refused.status_code == 422
    assert four_eyes.WROTE in refused.content.decode()
    return_it(rows[0], alice_here, "I see now that it is wrong.")
    approve(rows[0], reviewer)
    assert again(rows[0]).standing == Standing.APPROVED


def test_what_the_platform_did_not_confirm_counts_as_ones_own(rows, rule, alice_here, reviewer, sandbox, wire):
    row = rows[0]
    sandbox.fail("drop_answer", method="PATCH", times=1)
    wire.before_write = lambda: sandbox.fail("status", method="GET", value=503)
    with pytest.raises(services.OutcomeUnknown):
        edit(row, alice_here, "Perhaps by Alice.")
    sandbox.control("DELETE", "/faults")
    with pytest.raises(services.NotAllowed, match="You wrote this answer"):
        approve(row, alice_here)
    approve(row, reviewer)


def test_a_hand_over_that_the_platform_did_not_confirm_counts_as_ones_own(rows, rule, alice_here, sandbox):
    questionnaire = rows[0].questionnaire
    sandbox.fail("drop_answer", method="PATCH", times=1)
    sandbox.fail("status", method="GET", value=503, path="/v1/customer-trust")
    with pytest.raises(services.OutcomeUnknown):
        services.change_status(questionnaire, member=alice_here, status="READY_FOR_REVIEW")
    Questionnaire.objects.filter(pk=questionnaire.pk).update(status="READY_FOR_REVIEW")
    questionnaire.refresh_from_db()
    assert four_eyes.own_work(questionnaire, alice_here) == four_eyes.HANDED_OVER


def test_only_the_last_hand_counts(rows, rule, alice_here, reviewer):
    edit(rows[0], alice_here, "By Alice.")
    edit(rows[0], reviewer, "By somebody else.")
    with pytest.raises(services.NotAllowed):
        approve(rows[0], reviewer)
    approve(rows[0], alice_here)


def test_without_the_rule_everybody_approves_everything(rows, alice_here):
    edit(rows[0], alice_here, "By Alice.")
    approve(rows[0], alice_here)
    questionnaire = services.change_status(rows[0].questionnaire, member=alice_here, status="READY_FOR_REVIEW")
    assert services.approve(questionnaire, member=alice_here).status == "APPROVED"


def test_whoever_handed_a_questionnaire_over_neither_approves_nor_completes_it(
    client, alice, rows, rule, alice_here, reviewer, wire
):
    questionnaire = services.change_status(rows[0].questionnaire, member=alice_here, status="READY_FOR_REVIEW")
    wire.sent.clear()
    for step in (services.approve, services.complete):
        with pytest.raises(services.NotAllowed, match="You handed this questionnaire over"):
            step(questionnaire, member=alice_here)
    client.force_login(alice)
    page = client.get(address(questionnaire)).content.decode()
    assert four_eyes.HANDED_OVER in page
    assert f"{address(questionnaire)}approve/" not in page
    assert f"{address(questionnaire)}complete/" not in page
    assert wire.sent == []
    approved = services.approve(questionnaire, member=reviewer)
    assert approved.status == "APPROVED"
    assert services.complete(approved, member=alice_here).status == "COMPLETE"


def test_what_was_not_handed_over_is_not_approved(rows, rule, reviewer):
    with pytest.raises(services.NotAllowed, match="handed over for review first"):
        services.approve(rows[0].questionnaire, member=reviewer)


def test_what_was_handed_over_on_the_platform_is_approved_by_anybody(desk, rows, rule, alice_here):
    desk.change_there(rows[0].questionnaire, status="IN_REVIEW", updatedDate="2099-01-01T00:00:00.000Z")
    desk.fetch()
    questionnaire = Questionnaire.objects.get(pk=rows[0].questionnaire_id)
    services.approve(questionnaire, member=alice_here)
    assert desk.there(questionnaire)["status"] == "APPROVED"


@pytest.mark.parametrize("role", [Role.VIEWER, Role.ANALYST, Role.APPROVER])
def test_only_admins_and_owners_switch_the_rule(client, acme, scoped, member, role):
    user = member(role)
    client.force_login(user)
    assert client.post(RULES, {"four_eyes": "on"}).status_code == 403
    with pytest.raises(PermissionDenied):
        services.set_four_eyes(True, member=find_member(user=user))
    assert not DeskRules.objects.exists()
    page = client.get(RULES).content.decode()
    assert "Only admins and owners can change this" in page
    assert '<button class="btn primary">Save' not in page


def test_an_admin_switches_the_rule_and_it_is_written_down(client, member, acme, scoped, globex):
    client.force_login(member(Role.ADMIN))
    for _ in range(2):
        assert client.post(RULES, {"four_eyes": "on"}).status_code == 302
    assert four_eyes.is_on()
    assert client.get(RULES).context["form"].initial == {"four_eyes": True}
    client.post(RULES, {})
    assert not four_eyes.is_on()
    assert [entry.summary for entry in Entry.objects.filter(action="questionnaire.rules")] == [
        "Switched four eyes off for questionnaires.",
        "Switched four eyes on for questionnaires.",
    ]
    with tenant_scope(globex.pk):
        assert not four_eyes.is_on()


@pytest.mark.parametrize("way", [["IN_REVIEW"], ["ON_HOLD", "IN_REVIEW"]])
def test_whoever_sets_it_to_in_review_has_handed_it_over_as_well(rows, rule, alice_here, way):
    questionnaire = rows[0].questionnaire
    for status in way:
        questionnaire = services.change_status(questionnaire, member=alice_here, status=status)
    for step in (services.approve, services.complete):
        with pytest.raises(services.NotAllowed, match="You handed this questionnaire over"):
            step(questionnaire, member=alice_here)


def test_whoever_takes_a_review_up_or_goes_on_with_it_has_not_handed_it_over(rows, rule, alice_here, reviewer):
    questionnaire = services.change_status(rows[0].questionnaire, member=alice_here, status="READY_FOR_REVIEW")
    for status in ("IN_REVIEW", "ON_HOLD", "IN_REVIEW"):
        questionnaire = services.change_status(questionnaire, member=reviewer, status=status)
    assert four_eyes.own_work(questionnaire, alice_here) == four_eyes.HANDED_OVER
    assert services.approve(questionnaire, member=reviewer).status == "APPROVED"
