"""What waits is counted once: the badge, the tabs, Today, the portfolio and the customer's page say the same number."""

import re

import pytest
from django.utils import timezone

from portal.access_requests.models import WINDOW, AccessRequest, Decision, DecisionState, Verb
from portal.access_requests.unmatched_people import pending_by_domain
from portal.accounts.account_facts import REQUESTS, facts_for_accounts
from portal.page_refresh.services import touch_areas
from portal.ui import navigation
from tests.access_requests.conftest import PAGE, make
from tests.access_requests.rules import make_account
from tests.support.members import add_second_tenant

STATES = {
    "Undone": DecisionState.UNDONE,
    "Rejected": DecisionState.REJECTED,
    "Failed": DecisionState.FAILED,
    "Asked": DecisionState.AWAITING_SECOND,
    "Held": DecisionState.SCHEDULED,
    "Sent": DecisionState.SENDING,
    "Unsure": DecisionState.UNCONFIRMED,
    "Done": DecisionState.DONE,
}
WAITING = {"Fresh", "Older", "Undone", "Rejected", "Failed", "Asked"}
"""Nobody has decided these, or they wait for second approval."""
BEING_SENT = {"Held", "Sent", "Unsure", "Done"}


@pytest.fixture
def world(running):
    """One request in each state that there is, all from one customer; in the undo window, too."""
    make_account("One", "one.example")
    for number, name in enumerate([*WAITING, *BEING_SENT]):
        row = make(name, email=f"{name}@one.example", hours=number + 1)
        if name in STATES:
            send_at = timezone.now() + WINDOW if name == "Held" else None
            Decision.objects.create(
                access_request=row,
                verb=Verb.DENY,
                state=STATES[name],
                decided_by_name="Alice",
                send_at=send_at,
                sent_at=timezone.now(),
            )
    make("Elsewhere", email="elsewhere@one.example", outcome="APPROVED")
    make("Gone", email="gone@one.example", gone_at=timezone.now())
    return running


def names(rows):
    return {row.name for row in rows}


def tabs(client, query=""):
    return {tab["label"]: tab["count"] for tab in client.get(PAGE + query).context["tabs"]}


def badges(text, kind="data-count-of"):
    found = re.findall(rf'{kind}="access_requests"><span class="(?:count urgent|bottom-count)">(\d+)<', text)
    return {int(number) for number in found}


def test_r3_every_page_counts_the_same_waiting_requests(world, approver, alice):
    add_second_tenant(alice)
    page = approver.get(PAGE)
    waiting = len(WAITING)
    assert names(row.request for row in page.context["rows"]) == WAITING
    assert names(row.request for row in approver.get(f"{PAGE}?tab=sending").context["rows"]) == BEING_SENT
    found = tabs(approver)
    assert (found["Pending"], found["Sending"]) == (waiting, len(BEING_SENT))
    assert found["Pending"] + found["Sending"] + found["Approved"] + found["Denied"] == found["All"]
    assert tabs(approver, "?account=id-One")["Pending"] == waiting
    assert badges(page.content.decode()) == badges(page.content.decode(), "data-quick-count-of") == {waiting}
    assert navigation.count_of("access_requests", world) == (waiting, True)
    queue = approver.get("/t/acme/?desk=Access+requests&whose=team").context["work"]
    assert (queue.needed.number, queue.total.number) == (waiting, waiting)
    assert {row.line.item.title for section in queue.sections for row in section.rows} == WAITING
    [line] = [each for each in approver.get("/portfolio/").context["lines"] if each.membership.tenant == world]
    assert line.figures.waiting_requests.number == waiting
    assert line.figures.oldest_request_at == AccessRequest.objects.waiting().order_by("created_at")[0].created_at
    assert pending_by_domain() == {"one.example": waiting}
    assert f"{waiting} pending" in facts_for_accounts({"id-One"}, among={REQUESTS})["id-One"][REQUESTS].description


def test_r3_an_open_list_brings_the_badge_up_to_date(world, approver):
    """The number in the navigation stands outside of what polls: it comes along, or it would be an old one."""
    for fragment in ("access-requests", "access-desk"):
        text = approver.get(PAGE, headers={"HX-Request": "true", "HX-Target": fragment}).content.decode()
        assert f'innerHTML:[data-count-of=\'access_requests\']"><span class="count urgent">{len(WAITING)}<' in text
    assert "innerHTML:" not in approver.get(PAGE).content.decode()
    AccessRequest.objects.update(outcome="DENIED")
    touch_areas("access_requests")
    text = approver.get("/t/acme/", headers={"HX-Request": "true"}).content.decode()
    assert "innerHTML:[data-count-of='access_requests']\"></span>" in text
