"""Guarantee R8: each decision, change of a viewer, list and setting leaves its audit row."""

from datetime import timedelta

from django.utils import timezone

from portal.access_requests import services
from portal.access_requests.models import Decision, DeskSettings, Verb, Viewer
from portal.access_requests.models.lists import ListKind
from portal.access_requests.services import tagging
from portal.access_requests.services.bulk import BulkChoice
from portal.access_requests.services.viewer_runs import retry_viewer_run
from portal.tenants.models import Role
from tests.access_requests.conftest import CALLS, PAGE, approve, deny, let_leave
from tests.access_requests.viewers import CALLS as VIEWER_CALLS
from tests.access_requests.viewers import let_work, start
from tests.support.audit import recorded

ALICE = "Alice Ames"
BULK = f"{PAGE}bulk/"


def test_r8_decisions_of_one_person(desk, approver, sandbox):
    with recorded("access_request.approve", "access_request.deny", by=ALICE):
        for decide in (approve, deny):
            decide(approver, desk.waiting)
            let_leave()
    with recorded("access_request.undo", by=ALICE):
        approve(approver, desk.waiting)
        approver.post(f"{PAGE}decisions/{Decision.objects.latest('pk').pk}/undo/")
    approve(approver, desk.waiting)
    sandbox.fail("status", value=422, method="POST", path=CALLS, times=1)
    with recorded("access_request.not_made", by=ALICE):
        let_leave()


def test_r8_decisions_of_two_people(desk, approver, client, member):
    DeskSettings.objects.create(needs_two_for_approval=True)
    second = member(Role.APPROVER)
    with recorded("access_request.ask_second", "access_request.ask_second", by=ALICE):
        first = desk.waiting
        approve(approver, first)
        other = type(first).objects.pending().exclude(pk=first.pk).order_by("created_at", "id")[0]
        approve(approver, other)
    client.force_login(second)
    one, two = Decision.objects.order_by("pk")
    with recorded("access_request.second", "access_request.reject", by=str(second)):
        client.post(f"{PAGE}decisions/{one.pk}/confirm/")
        client.post(f"{PAGE}decisions/{two.pk}/reject/", {"reject-words": "Not yet."})


def test_r8_many_at_once_and_those_that_failed_again(desk, approver, owner, sandbox):
    sandbox.fail("status", value=422, method="POST", path=CALLS, times=1)
    rows = list(type(desk.waiting).objects.pending())
    with recorded("access_request.bulk", by=ALICE):
        choice = BulkChoice(verb=Verb.DENY, reason="Please write from your company's address.")
        batch = services.decide_many(rows, choice, member=owner)
    let_leave()
    with recorded("access_request.bulk_retry", by=ALICE):
        approver.post(f"{BULK}{batch}/retry/")


def test_r8_what_was_decided_on_the_platform(desk, approver):
    row = desk.waiting
    desk.happen("approved", row)
    with recorded("access_request.decided_elsewhere", by="") as rows:
        desk.fetch()
    assert rows[0].source == "sync"


def test_r8_lists_settings_and_files(approver, owner, desk):
    with recorded("access_rules.list", "access_rules.sensitive", "access_rules.unlist", by=ALICE):
        row = tagging.list_domain("initech.example", kind=ListKind.BLOCKED, why="Competitor", member=owner)
        tagging.mark_sensitive({desk.documents[0].platform_id}, shown=set(), member=owner)
        tagging.unlist_domain(row, member=owner)
    with recorded("access_request.settings", by=ALICE):
        services.set_desk_settings(needs_two_for_approval=True, deadline_hours=8, member=owner)
    with recorded("access_request.export", *["viewer.export"] * 2, "access_rules.export", by=ALICE):
        for path in ("export", "viewers/export", "viewers/review/export", "rules/dry-run/export"):
            assert approver.post(f"{PAGE}{path}/").status_code == 200, path


def test_r8_each_change_of_a_viewer(desk, owner, sandbox):
    row = Viewer.objects.filter(gone_at=None).order_by("pk")[0]
    later = timezone.now() + timedelta(days=40)
    wanted = [
        action for verb in ("extend", "remind", "revoke") for action in ("viewer.bulk", f"viewer.{verb}", "viewer.bulk_end")
    ]
    with recorded(*wanted, by=ALICE):
        for verb, terms in (("extend", {"expires_at": later}), ("remind", {}), ("revoke", {})):
            start(owner, verb, [row], **terms)
            let_work()
    other = Viewer.objects.filter(gone_at=None).order_by("pk")[0]
    with recorded("viewer.keep", by=ALICE):
        services.keep_viewers([other.pk], until=later, word="A partner.", member=owner)
    sandbox.fail("status", value=422, method="PATCH", path=VIEWER_CALLS, times=1)
    run = start(owner, "extend", [other], expires_at=later)
    let_work()
    with recorded("viewer.bulk_retry", by=ALICE):
        retry_viewer_run(run, member=owner)
