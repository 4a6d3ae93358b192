"""Pressing a switch: who may, what is sent, what an answer that was lost comes to (guarantee W1)."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.audit.models import Entry
from portal.celery import app as celery_app
from portal.connections.services import Urgency, client_for
from portal.inbox.routes import MIRRORS
from portal.sync.models import StaleMark
from portal.sync.services import drain
from portal.tags import services
from portal.tags.models import CATEGORY, Category, Step, SwitchChange, Use
from portal.tenants.models import Role
from tests.support.members import find_member, set_role
from tests.sync.desk import two_minutes_pass
from tests.tags.conftest import ASKED, CENTER, CONTROLS, DOCUMENTS, PAGE, PATH, here, let_pass, press, words, work

WRITE = f"{PATH}/*/product-contexts*"


@pytest.mark.parametrize("context", [CENTER, DOCUMENTS, CONTROLS])
def test_a_switch_works_on_the_platform_and_here(client, owner, desk, context):
    category = desk.unused
    page = press(client, category, context)
    assert f"{category} in" in words(page)
    assert "is on." in words(page)
    assert category.platform_id in desk.there(context) & here(context)
    press(client, category, context, "off")
    assert category.platform_id not in desk.there(context) | here(context)
    on, off = Entry.objects.filter(target_kind=CATEGORY).order_by("id")
    assert (on.action, off.action) == ("tag_category.on", "tag_category.off")
    assert (on.actor, on.target_id, on.details["context"]) == (owner.user, category.platform_id, context)


def test_switching_on_what_is_on_is_no_error(client, owner, desk):
    category = desk.unused
    for _ in range(2):
        assert "is on." in words(press(client, category, CENTER))
    assert category.platform_id in desk.there(CENTER) & here(CENTER)
    for _ in range(2):
        assert "is off." in words(press(client, category, CENTER, "off"))
    assert {change.state for change in SwitchChange.objects.all()} == {Step.DONE}


def test_a_page_that_is_behind_the_platform_ends_in_one_truth(client, owner, desk):
    category = desk.unused
    desk.switch_there(category, CENTER, is_on=True)
    assert "is on." in words(press(client, category, CENTER))
    assert category.platform_id in here(CENTER)


@pytest.mark.parametrize("kind", ["drop_answer", "html", "refuse_connection"])
def test_a_lost_answer_is_settled_by_looking(client, owner, desk, sandbox, kind):
    category = desk.unused
    sandbox.fail(kind, method="POST", path=WRITE, times=1)
    press(client, category, CENTER)
    work()
    assert category.platform_id in desk.there(CENTER) & here(CENTER)
    assert SwitchChange.objects.get().state == Step.DONE
    assert Entry.objects.filter(action="tag_category.on").count() == 1


def test_a_dropped_answer_is_looked_up_at_once(client, owner, desk, sandbox):
    category = desk.unused
    sandbox.fail("drop_answer", method="POST", path=WRITE, times=1)
    assert "is on." in words(press(client, category, CENTER))
    assert len(desk.writes()) == 1


def test_while_nothing_can_be_asked_the_page_says_checking_and_then_the_truth(client, owner, desk, sandbox):
    category = desk.unused
    sandbox.fail("drop_answer", method="POST", path=WRITE, times=1)
    sandbox.fail("status", value=503, method="GET", path=PATH, times=9)
    page = words(press(client, category, CENTER))
    assert "we could not confirm it and are checking" in page
    assert "Checking" in page
    change = SwitchChange.objects.get()
    assert change.state == Step.UNCERTAIN
    work()
    change.refresh_from_db()
    assert (change.state, bool(change.description)) == (Step.UNCERTAIN, True)
    sandbox.control("DELETE", "/faults")
    let_pass(60)
    work()
    change.refresh_from_db()
    assert change.state == Step.DONE
    assert category.platform_id in here(CENTER)
    assert "Checking" not in words(client.get(PAGE))
    assert len(desk.writes()) == 1


def test_what_did_not_arrive_is_sent_again_while_it_is_fresh(client, owner, desk, sandbox):
    category = desk.unused
    sandbox.fail("status", value=502, method="POST", path=WRITE, times=1)
    press(client, category, CENTER)
    work()
    assert category.platform_id in desk.there(CENTER) & here(CENTER)
    assert SwitchChange.objects.get().state == Step.DONE


def test_s7_what_did_not_arrive_is_not_sent_again_for_somebody_who_lost_the_role(client, owner, desk, sandbox):
    category = desk.unused
    sandbox.fail("status", value=502, method="POST", path=WRITE, times=1)
    sandbox.fail("status", value=503, method="GET", path=PATH, times=9)
    press(client, category, CENTER)
    sandbox.control("DELETE", "/faults")
    set_role(Role.ANALYST, pk=owner.pk)
    let_pass(60)
    work()
    assert len(desk.writes()) == 1
    assert SwitchChange.objects.get().state == Step.UNCERTAIN, "the platform may show it yet"
    let_pass(3600)
    work()
    assert SwitchChange.objects.get().state == Step.ABSENT
    assert category.platform_id not in desk.there(CENTER)


def test_a_context_that_the_platform_does_not_tell_of_is_asked_for_ever_less_often(client, owner, desk, sandbox):
    sandbox.fail("status", value=502, method="POST", path=WRITE, times=1)
    sandbox.fail("status", value=503, method="GET", path=PATH, times=9)
    press(client, desk.unused, CENTER)
    sandbox.control("DELETE", "/faults")
    sandbox.fail("status", value=422, method="GET", path=PATH)
    SwitchChange.objects.update(attempts=9)
    let_pass(3600)
    work()
    change = SwitchChange.objects.get()
    assert change.state == Step.UNCERTAIN, "what became of it nobody knows"
    assert change.due_at - timezone.now() > timedelta(minutes=30)


def test_a_press_of_long_ago_is_not_sent_again(client, owner, desk, sandbox):
    category = desk.unused
    sandbox.fail("status", value=502, method="POST", path=WRITE, times=1)
    sandbox.fail("status", value=503, method="GET", path=PATH, times=9)
    press(client, category, CENTER)
    sandbox.control("DELETE", "/faults")
    let_pass(3600)
    work()
    change = SwitchChange.objects.get()
    assert change.state == Step.ABSENT
    assert category.platform_id not in desk.there(CENTER)
    assert "The change did not reach the platform. Press the switch again." in words(client.get(PAGE))
    press(client, category, CENTER)
    change.refresh_from_db()
    assert change.state == Step.CLOSED
    assert "did not reach the platform" not in words(client.get(PAGE))


def test_a_worker_that_died_in_the_middle_is_made_good(owner, desk):
    category = desk.unused
    change = SwitchChange.objects.create(category=category, context=CENTER, is_on=True, begun_by=owner.user)
    assert services.due_switches() == []
    let_pass(200)
    SwitchChange.objects.update(due_at=change.sent_at)
    work()
    assert SwitchChange.objects.get().state == Step.DONE
    assert category.platform_id in desk.there(CENTER)


def test_the_second_of_two_people_is_told_that_it_is_on_its_way(client, owner, desk):
    category = desk.unused
    SwitchChange.objects.create(category=category, context=CENTER, is_on=True, begun_by_name="Bob")
    page = words(press(client, category, CENTER, "off"))
    assert "Bob just switched this on" in page
    assert desk.writes() == []
    with pytest.raises(IntegrityError), transaction.atomic():
        SwitchChange.objects.create(category=category, context=CENTER, is_on=False)
    # Another switch of the same category is another matter.
    assert "is on." in words(press(client, category, DOCUMENTS))


def test_r8_a_category_that_is_gone_there_is_said_and_looked_at(client, owner, desk):
    category = desk.unused
    desk.objects.delete(desk.tenant_id, "tag-categories", category.platform_id)
    page = words(press(client, category, CENTER))
    assert "The platform no longer has this category." in page
    assert SwitchChange.objects.get().state == Step.REFUSED
    [row] = Entry.objects.filter(target_kind=CATEGORY, target_id=category.platform_id)
    assert (row.action, row.actor) == ("tag_category.refused", owner.user)
    assert StaleMark.objects.filter(kind=CATEGORY, object_id=category.platform_id, urgent=True).exists()
    drain(MIRRORS, client_for(Urgency.PERSON))
    assert Category.objects.get(pk=category.pk).gone_at is None
    two_minutes_pass()
    drain(MIRRORS, client_for(Urgency.PERSON))
    assert category.name not in words(client.get(PAGE))
    assert category.name in words(client.get(f"{PAGE}?presence=gone"))
    assert "Nothing was changed" in words(press(client, category, CENTER))


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (403, "The connection does not cover tags."),
        (400, "Nothing was changed."),
        (429, "The platform asks us to wait"),
    ],
)
def test_a_refusal_is_said_in_words(client, owner, desk, sandbox, status, said):
    category = desk.unused
    sandbox.fail("status", value=status, method="POST", path=WRITE, times=5)
    page = words(press(client, category, CENTER))
    assert said in page
    assert category.platform_id not in desk.there(CENTER) | here(CENTER)
    assert ("Not switched on" in page) is (status != 429)
    assert SwitchChange.objects.on_their_way().count() == 0


def test_questionnaires_and_unknown_contexts_are_read_only(client, owner, desk):
    for context in (ASKED, "PARTNER_PORTAL"):
        assert "Nothing was changed." in words(press(client, desk.unused, context))
    assert desk.writes() == []
    page = words(client.get(PAGE))
    assert f"{ASKED}|" not in page
    assert "read-only through the API" in page


@pytest.mark.parametrize("sent", [{}, {"press": "x"}, {"press": "A|maybe|x"}, {"press": "A|on|"}, {"press": "A|on|x\0"}])
def test_nonsense_is_no_switch(client, owner, desk, sent):
    assert client.post(f"{PAGE}switch/", sent).status_code == 404


@pytest.mark.parametrize("role", [Role.VIEWER, Role.ANALYST, Role.APPROVER])
def test_only_an_admin_may(client, scoped, desk, member, role):
    user = member(role)
    client.force_login(user)
    page = words(client.get(PAGE))
    assert 'class="switch"' not in page
    assert "Only admins can change the switches" in page
    assert press(client, desk.unused, CENTER).status_code == 403
    with pytest.raises(PermissionDenied):
        services.switch(desk.unused, CENTER, is_on=True, member=find_member(tenant=scoped, user=user))
    assert desk.writes() == []


def test_somebody_elses_categories_are_not_there(client, desk, mallory, globex):
    category = desk.unused
    client.force_login(mallory)
    assert category.name not in words(client.get("/t/globex/tags/"))
    answer = client.post("/t/globex/tags/switch/", {"press": f"{CENTER}|on|{category.platform_id}"})
    assert answer.status_code == 404
    assert desk.writes() == []


def test_the_search_and_the_page_stay_after_a_press(client, owner, desk):
    category = desk.unused
    page = press(client, category, CENTER, query=f"?q={category.name.split()[0]}")
    assert page.redirect_chain[-1][0] == f"{PAGE}?q={category.name.split()[0]}"
    answer = client.post(
        f"{PAGE}switch/?q={category.name.split()[0]}",
        {"press": f"{CENTER}|off|{category.platform_id}"},
        headers={"HX-Request": "true"},
    )
    assert answer.status_code == 200
    assert f'hx-get="{PAGE}?q={category.name.split()[0]}"' in answer.content.decode()
    assert "is off." in answer["HX-Trigger"]


def test_search_and_filters_narrow_the_matrix(client, owner, desk):
    category = desk.unused
    press(client, category, CENTER)

    def shown(query: str) -> set[str]:
        return {row.category.name for row in client.get(f"{PAGE}?{query}").context["rows"]}

    names = set(Category.objects.values_list("name", flat=True))
    assert shown("") == shown("use=nonsense") == names
    assert shown(f"q={category.name}") == shown(f"q={category.tags[0]['name']}&use={CENTER}") == {category.name}
    assert category.name in shown(f"use={CENTER}")
    used = set(Use.objects.values_list("category__name", flat=True))
    assert shown("use=nowhere") == names - used
    assert shown("q=nothing+like+it") == set()


def test_an_open_page_hears_of_a_press(client, owner, desk):
    seen = client.get(PAGE).context["page_version"]
    headers = {"HX-Request": "true", "Seen": seen}
    assert client.get(PAGE, headers=headers).status_code == 204
    press(client, desk.unused, CENTER)
    assert client.get(PAGE, headers=headers).status_code == 200


def test_the_sweep_stands_in_the_table():
    assert "portal.tags.tasks.sweep_switches" in {each["task"] for each in celery_app.conf.beat_schedule.values()}
