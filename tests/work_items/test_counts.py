"""Today, its tabs, the badge and the portfolio count the same things, whatever kind of work there is."""

from collections import Counter
from datetime import timedelta

import pytest
from django.utils import timezone

from portal.connections.models import Connection, State
from portal.contracts.models import Contract, Removal, RemovalState, Upload, UploadState
from portal.contracts.models import Terms as ContractTerms
from portal.inbox.models import Rhythm
from portal.platform_writes.models import ItemState
from portal.questionnaires.models import Assignment, BulkItem, BulkRun, Export, ExportState, Questionnaire, Response
from portal.tags.models import Category, SwitchChange
from portal.tags.models import Step as Switched
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from portal.work_items.models import WorkItem
from portal.work_items.selectors import OVERDUE, Queue, needed_count
from portal.work_items.services import snooze
from tests.support.comparisons import compare_whole
from tests.support.members import add_second_tenant, find_member
from tests.support.mirrors import FOR_DESKS
from tests.work_items.support import work_off

pytestmark = pytest.mark.both
PAGE = "/t/acme/"


@pytest.fixture
def busy(connected, acme, alice, member):
    """Acme with work of every kind that has come lately, some of it Alice's and some of nobody."""
    now, colleague = timezone.now(), member(Role.ANALYST)
    add_second_tenant(alice)
    with tenant_scope(acme.pk):
        compare_whole(FOR_DESKS)
        Connection.objects.update(state=State.NEEDS_RECONNECTION, ended_at=now - timedelta(hours=1))
        Rhythm.objects.create(silent_since=now - timedelta(hours=9))
        first, second = Questionnaire.objects.order_by("pk")[:2]
        Questionnaire.objects.filter(pk=first.pk).update(status="IN_REVIEW", owner_name=str(alice), approver_name="")
        by_alice = {"asked_by": alice, "asked_by_name": "Alice"}
        export = {"format": "csv", "state": ExportState.FAILED, "is_confirmed": True, "ended_at": now}
        Export.objects.create(questionnaire=first, **export, **by_alice)
        run = BulkRun.objects.create(action="hold", finished_at=now, asked_by=colleague, asked_by_name="Colleague")
        BulkItem.objects.create(run=run, questionnaire=second, state=ItemState.FAILED)
        asked = {"questionnaire": second, "platform_id": "r1", "position": 1, "question": "Do you rotate keys?"}
        question = Response.objects.create(owner_id="t1", owner_name="A team", read_at=now, **asked)
        Assignment.objects.create(response=question, owner_id="t1", made_by_name="Somebody", due_at=now + timedelta(minutes=30))
        contract, other = Contract.objects.order_by("pk")[:2]
        today = timezone.localdate()
        days = {"notice_on": today - timedelta(days=3), "turns_on": today + timedelta(days=9)}
        ContractTerms.objects.create(contract=contract, platform_id=contract.platform_id, owner=colleague, **days)
        Removal.objects.create(contract=other, state=RemovalState.REFUSED, settled_at=now, **by_alice)
        Upload.objects.create(filename="msa.pdf", external_id="x", uploaded_by_name="A", state=UploadState.REFUSED)
        category = Category.objects.create(platform_id="cat", name="SOC 2")
        pressed = {"begun_by": alice, "begun_by_name": "Alice", "is_on": True, "state": Switched.REFUSED, "settled_at": now}
        SwitchChange.objects.create(category=category, context="DOCUMENT_SHARING", **pressed)
        work_off()
        yield find_member(user=alice, tenant=acme)


def counted_alike(client, member) -> Counter[str]:
    """Compare what every place counts, for oneself and for the team; return the kinds that are the team's."""
    mine, team = client.get(PAGE), client.get(f"{PAGE}?whose=team")
    portfolio = client.get("/portfolio/?whose=mine")
    for page in (mine, team):
        work, tabs = page.context["work"], {tab["key"]: str(tab["count"]) for tab in page.context["tabs"]}
        assert tabs[""] == str(work.total)
        assert {key: tabs[key] for key in work.counts if key in tabs} == {
            key: str(number) for key, number in work.counts.items() if key in tabs
        }
        assert sum(section.count.number for section in work.sections) == work.total.number
    badge = needed_count(member)
    assert mine.context["work"].needed == badge == portfolio.context["found"].counts[""]
    assert f'<span class="count urgent">{badge}</span>' in mine.content.decode()
    everybody = client.get("/portfolio/")
    [line] = [each for each in everybody.context["lines"] if each.membership.tenant_id == member.tenant_id]
    assert team.context["work"].needed == line.figures.needed == everybody.context["found"].counts[""]
    assert team.context["work"].counts[OVERDUE] == line.figures.overdue == everybody.context["found"].counts[OVERDUE]
    assert mine.context["work"].counts[OVERDUE] == portfolio.context["found"].counts[OVERDUE]
    rows = Queue(member=member, now=timezone.now(), is_team=True).needed()
    return Counter(rows.values_list("kind", flat=True))


LATELY = {
    *("connection", "silent_feed", "questionnaire", "question", "contract_notice", "contract_end", "contract_removal"),
    *("contract_upload", "failed_export", "bulk_run", "tag_switch"),
}


def test_every_place_counts_the_same(client, alice, busy):
    client.force_login(alice)
    assert counted_alike(client, busy).keys() >= LATELY


def test_what_is_broken_or_missed_is_overdue(client, alice, busy):
    client.force_login(alice)
    found = client.get(f"{PAGE}?whose=team&tab=overdue").context["work"].sections[0]
    assert found.key == OVERDUE
    assert {row.line.kind.name for row in found.rows} >= {"contract_notice", "silent_feed", "connection"}


def test_every_place_counts_the_same_after_something_was_done(client, alice, busy):
    client.force_login(alice)
    before = counted_alike(client, busy)
    for kind, action in (("contract_notice", "settle_notice"), ("contract_end", "take_contract")):
        item = WorkItem.objects.get(kind=kind)
        assert client.post(f"{PAGE}today/{item.pk}/{action}/").status_code == 302
    work_off()
    assert before - counted_alike(client, busy) == Counter({"contract_notice": 1})
    snooze(WorkItem.objects.get(kind="connection"), user_id=alice.pk, until=timezone.now() + timedelta(days=1))
    assert before - counted_alike(client, busy) == Counter({"contract_notice": 1, "connection": 1})
