"""The queue as it looks, worked by mouse and by keys."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from portal.access_requests.forms import REASONS
from portal.access_requests.models import AccessRequest, Decision, DecisionState
from portal.deletion_requests.models import DeletionRequest
from portal.deletion_requests.models import State as Erasure
from portal.incidents.models import Incident, Notice, Rank
from portal.questionnaires.models import AssignableUser, Questionnaire
from portal.tenants.scope import tenant_scope
from portal.work_items.models import Snooze
from portal.work_items.tasks import sweep_work_items
from tests.support.comparisons import compare_whole
from tests.support.mirrors import FOR_DESKS
from tests.support.page_checks import look
from tests.work_items.support import no_work_of_other_desks

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("today-browser")]


@pytest.fixture
def busy(connected, acme, alice, sandbox, platform_tenant):
    """Acme with work of every section."""
    now, tenant_id = timezone.now(), platform_tenant["tenant_id"]
    objects = sandbox.app.extensions["sandbox"].objects
    days = (timedelta(days=-2), timedelta(minutes=1), timedelta(days=9))
    for day, there in zip(days, sandbox.objects(tenant_id, "questionnaires"), strict=True):
        owner = None if day.days == 9 else {"type": "User", "id": "u1", "displayName": str(alice)}
        due = (now + day).replace(microsecond=0).isoformat()
        changes = {"status": "IN_PROGRESS", "ownerAssignment": owner, "dueDate": due}
        objects.save(tenant_id, "questionnaires", there | changes)
    with tenant_scope(acme.pk):
        compare_whole(FOR_DESKS)
        no_work_of_other_desks()
        DeletionRequest.objects.create(
            email="a@b.example", email_hash="h", masked_email="a…@b.example", requested_by_name="A", state=Erasure.SENDING
        )
        incident = Incident.objects.create(name="Token found in a build log", noticed_at=now, opened_by_name="Alice")
        due_at = now + timedelta(days=2)
        due = {"rank": Rank.DEADLINE, "due_at": due_at, "due_sort": due_at, "tell_by": due_at}
        Notice.objects.create(incident=incident, account_id="a1", customer="Brightfen Logistics", **due)
    return acme


@pytest.fixture
def today(page, live_server, session_cookie, busy):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}/t/acme/")
    return page


def row_of(page, title):
    return page.locator(".queue .item").filter(has_text=title)


def test_the_queue_is_worked_by_mouse(today, busy):
    look(today, "today-1")
    request = today.locator(".queue .item").filter(has_text="Approve or deny").first
    name = request.locator("a.t").inner_text()
    request.get_by_role("button", name="Approve").click()
    expect(today.get_by_text("Sending 1 decision")).to_be_visible()
    expect(row_of(today, name)).to_have_count(0)
    look(today, "today-2-held")
    today.get_by_role("button", name="Undo").click()
    expect(row_of(today, name)).to_have_count(1)
    row_of(today, "Token found").locator("summary").click()
    look(today, "today-3-menu")
    row_of(today, "Token found").get_by_role("button", name="Tomorrow").click()
    expect(row_of(today, "Token found")).to_have_count(0)
    today.get_by_role("link", name="Snoozed 1").click()
    expect(row_of(today, "Token found")).to_have_count(1)
    today.get_by_role("button", name="Show again").click()
    expect(row_of(today, "Token found")).to_have_count(0)
    today.get_by_label("Whose work").get_by_role("link", name="Team").click()
    expect(today.get_by_label("Whose work").locator("[aria-current]")).to_contain_text("Team")
    today.get_by_label("Desk").select_option("Deletion requests")
    expect(today.locator(".queue .item")).to_have_count(1)
    expect(today).to_have_url(f"{today.url.partition('?')[0]}?whose=team&desk=Deletion%20requests")


def test_the_queue_is_worked_by_keys(today, busy, alice):
    with tenant_scope(busy.pk):
        late = Questionnaire.objects.order_by("due_at").first()
        AssignableUser.objects.create(platform_id="u9", name="Somebody Else", read_at=timezone.now())
        waiting = AccessRequest.objects.waiting().count()
    expect(today.locator(".side [data-count-of=today]")).to_have_text(str(waiting + 4))
    today.keyboard.press("j")
    expect(row_of(today, late.name).locator("a.t")).to_be_focused()
    today.keyboard.press("e")
    expect(row_of(today, late.name).get_by_role("button", name="1 day")).to_be_focused()
    today.keyboard.press("ArrowDown")
    today.keyboard.press("ArrowDown")
    today.keyboard.press("Enter")
    expect(row_of(today, late.name).locator(".due")).not_to_contain_text("late")
    with tenant_scope(busy.pk):
        assert Questionnaire.objects.get(pk=late.pk).due_at > timezone.now() + timedelta(days=6)
    today.keyboard.press("j")
    today.keyboard.press("s")
    today.keyboard.press("Enter")
    expect(today.get_by_role("link", name="Snoozed 1")).to_be_visible()
    with tenant_scope(busy.pk):
        assert Snooze.objects.filter(user=alice, until__gt=timezone.now()).count() == 1
    for _ in range(20):
        today.keyboard.press("j")
        if today.locator(".queue .item:focus-within").filter(has_text="Approve or deny").count():
            break
    today.keyboard.press("a")
    expect(today.get_by_text("Sending 1 decision")).to_be_visible()
    expect(today.locator(".side [data-count-of=today]")).to_have_text(str(waiting + 2))
    today.keyboard.press("u")
    expect(today.get_by_text("Sending 1 decision")).to_have_count(0)
    with tenant_scope(busy.pk):
        assert Decision.objects.get().state == DecisionState.UNDONE
    today.locator(".queue .item").filter(has_text="Approve or deny").first.locator("a.t").focus()
    today.keyboard.press("d")
    expect(today.locator(".queue .item:focus-within").get_by_role("button", name=REASONS[0])).to_be_focused()
    look(today, "today-5-deny")
    today.keyboard.press("ArrowDown")
    today.keyboard.press("Enter")
    expect(today.get_by_text("Sending 1 decision")).to_be_visible()
    with tenant_scope(busy.pk):
        assert Decision.objects.latest("id").reason == REASONS[1]
    today.keyboard.press("u")
    expect(today.get_by_text("Sending 1 decision")).to_have_count(0)
    today.keyboard.press("j")
    today.keyboard.press("Enter")
    expect(today).not_to_have_url(f"{today.url.split('/t/acme/')[0]}/t/acme/")


def test_ten_thousand_items_look_like_ten(today, busy):
    rows = [
        DeletionRequest(
            email_hash=f"m{number}",
            masked_email=f"p{number}…@a-department-with-a-long-name.northwind-international.example",
            requested_by_name="Alice",
            state=Erasure.RECEIVED,
            deadline_on=timezone.localdate() + timedelta(days=number % 60 - 20),
        )
        for number in range(10_000)
    ]
    with tenant_scope(busy.pk):
        DeletionRequest.objects.bulk_create(rows, batch_size=1000)
    sweep_work_items()
    today.reload()
    expect(today.get_by_role("link", name="Show all 1,000+").first).to_be_visible()
    look(today, "today-many")
    today.get_by_role("link", name="Show all 1,000+").first.click()
    expect(today.locator(".queue .item")).to_have_count(50)
    today.locator(".pager").get_by_role("link", name="Next").click()
    expect(today.get_by_role("link", name="Previous")).to_be_visible()


def test_an_empty_queue_says_so(page, live_server, session_cookie, busy):
    page.context.add_cookies([session_cookie])
    page.goto(f"{live_server.url}/t/acme/?desk=Connection")
    expect(page.get_by_role("heading", name="Nothing here")).to_be_visible()
    look(page, "today-empty")
