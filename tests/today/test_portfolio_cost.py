"""What the portfolio costs does not grow with the tenants."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.access_requests.models import AccessRequest
from portal.access_requests.services.store import person_columns
from portal.accounts.models import Account
from portal.connections.models import Connection, State
from portal.incidents.models import Incident, Notice, Rank
from portal.questionnaires.models import Questionnaire
from portal.tenants.models import Role, Tenant
from portal.tenants.scope import all_tenants, tenant_scope
from portal.today.filters import PortfolioFilters
from portal.today.portfolio import MAX_CAUGHT_UP, queue_of
from portal.work_items.selectors import OVERDUE
from portal.work_items.tasks import sweep_work_items
from tests.support.members import add_member, find_member
from tests.support.plans import plan_of

PAGE = "/portfolio/"
HTMX = {"HX-Request": "true", "HX-Target": "portfolio"}
MAX_QUERIES = 25

pytestmark = pytest.mark.both


def add_tenant_with_work(alice, number: int) -> None:
    """Three kinds of work, under the same ids of the platform in each tenant."""
    tenant, now = Tenant.objects.create(name=f"Tenant {number:02}", slug=f"tenant-{number:02}"), timezone.now()
    due = now + timezone.timedelta(hours=number)
    add_member(tenant=tenant, user=alice, role=Role.OWNER)
    with tenant_scope(tenant.pk):
        Connection.objects.create(state=State.ACTIVE, connected_at=now)
        Account.objects.create(platform_id="a1", name=f"Initech {number:02}", created_at=now, updated_at=now, payload={})
        incident = Incident.objects.create(name="Leak", noticed_at=now, opened_by_name="Alice")
        Notice.objects.create(
            incident=incident, account_id="a1", customer="Initech", rank=Rank.DEADLINE, due_at=due, due_sort=due, tell_by=due
        )
        columns = person_columns("jane@northwind.example", "Jane", "Northwind")
        AccessRequest.objects.create(
            platform_id="r1", created_at=now, updated_at=now, access_level="FULL_ACCESS", payload={}, **columns
        )
        moments = {"due_at": due, "due_sort": due, "created_at": now, "updated_at": now}
        Questionnaire.objects.create(platform_id="q1", name=f"Security {number}", status="IN_PROGRESS", payload={}, **moments)


def cost_of(client, headers=None) -> int:
    sweep_work_items()
    client.get(PAGE, headers=headers)
    with CaptureQueriesContext(connection) as queries:
        client.get(PAGE, headers=headers)
    return len(queries)


@pytest.mark.usefixtures("within_a_minute")
def test_twelve_tenants_cost_as_many_queries_as_two(client, alice):
    for number in range(2):
        add_tenant_with_work(alice, number)
    client.force_login(alice)
    two, refresh = cost_of(client), cost_of(client, HTMX)
    for number in range(2, 12):
        add_tenant_with_work(alice, number)
    assert cost_of(client) == two <= MAX_QUERIES
    assert cost_of(client, HTMX) == refresh <= two
    answer = client.get(PAGE)
    lines = answer.context["lines"]
    assert [(each.figures.needed.number, each.figures.waiting_requests.number) for each in lines] == [(3, 1)] * 12
    customers = {each.row.customer for each in answer.context["found"].rows if each.row.line.kind.name == "incident_notice"}
    assert customers == {f"Initech {number:02}" for number in range(12)}, "each tenant has a customer of this id"
    rows = answer.context["found"].rows
    assert {(each.tenant.slug, each.row.url.split("/")[2]) for each in rows} == {(f"tenant-{n:02}",) * 2 for n in range(12)}


@pytest.mark.usefixtures("within_a_minute")
def test_twelve_tenants_that_are_behind_cost_as_many_queries_as_a_few(client, alice):
    for number in range(2):
        add_tenant_with_work(alice, number)
    client.force_login(alice)
    client.get(PAGE)
    few, many = range(2, 2 + MAX_CAUGHT_UP), range(2 + MAX_CAUGHT_UP, 12)
    assert len(many) > len(few)
    costs = []
    for numbers in (few, many):
        for number in numbers:
            add_tenant_with_work(alice, number)
        with CaptureQueriesContext(connection) as queries:
            client.get(PAGE)
        costs.append(len(queries))
    assert costs[0] == costs[1]
    sweep_work_items()
    assert {each.figures.needed.number for each in client.get(PAGE).context["lines"]} == {3}, "the task does the others"


@pytest.mark.parametrize("whose", ["", "mine"])
def test_what_is_overdue_is_read_without_what_is_not(acme, alice, whose):
    queue = queue_of([find_member(user=alice)], user_id=alice.pk, filters=PortfolioFilters.read({"whose": whose}))
    with all_tenants("the plan of the portfolio is looked at"):
        plan = plan_of(queue._section(OVERDUE)[:30])
    assert plan.sought_in("near_items_of_team")[:3] == ["tenant_id", "is_with_others", "due_sort"], plan.text
