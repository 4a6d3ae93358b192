"""Guarantee W4: what is decided at once is summed up before, undone together, and every failure is told with its reason."""

import pytest
from django.utils import timezone

from portal.access_requests import services
from portal.access_requests.bulk_summary import report_of
from portal.access_requests.models import AccessRequest, Decision, DecisionState, DeskSettings, ListedDomain, ListKind, Verb
from portal.access_requests.selectors import rows_of
from portal.access_requests.services.bulk import MAX_AT_ONCE, BulkChoice
from portal.access_requests.services.terms import Terms
from portal.access_requests.work import build
from portal.audit.models import Entry
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.access_requests.conftest import CALLS, PAGE, approve, let_leave, make, make_viewer, words
from tests.support.members import find_member

BULK = f"{PAGE}bulk/"


@pytest.fixture
def rows(desk):
    for _ in range(6):
        desk.happen("received")
    desk.fetch()
    return list(AccessRequest.objects.pending().order_by("created_at", "id"))


def ask(client, rows, action="approve", **data):
    return client.post(BULK, {"action": action, "chosen": [row.pk for row in rows]} | data)


def confirm(client, rows, action="approve", **data):
    said = {"approve-expiry": "90", "approve-is_nda_required": "on", "deny-canned": "own", "deny-words": "Not now."}
    return ask(client, rows, action, confirmed="1", **(said | data))


def states():
    return sorted(Decision.objects.values_list("state", flat=True))


def test_the_page_before_says_what_will_happen(scoped, approver, connected):
    rows = [make("Ada"), make("Ben"), make("Ada too", email="ada@ada.example"), make("Vague", level="PARTIAL_ACCESS")]
    rows.append(make("Done", outcome="APPROVED"))
    make_viewer("Ben")
    page = words(ask(approver, rows))
    for text in (
        "Approve 3 requests?",
        "3, from 3 domains",
        "<dt>Already have access</dt><dd>Ben</dd>",
        "Ada (Everything), Ada too (Everything)",
        "Done: It&#x27;s already approved.",
        "Vague: it names no document",
    ):
        assert text in page
    assert not Decision.objects.exists()
    assert "Deny 4 requests?" in words(ask(approver, rows, "deny"))


def test_a_blocked_domain_is_never_approved_among_many_and_other_marks_are_named(scoped, approver, connected):
    rows = [make("Ada"), make("Mallory", email="mallory@blocked.example"), make("Gil", email="gil@gmail.com")]
    ListedDomain.objects.create(domain="blocked.example", kind=ListKind.BLOCKED, why="They sell lists.")
    page = words(ask(approver, rows))
    assert "Approve 2 requests?" in page
    assert "Mallory: its domain is blocked. They sell lists." in page
    assert "<dt>Check first</dt><dd>Gil (Free mail)</dd>" in page
    confirm(approver, rows)
    assert {decision.access_request.name for decision in Decision.objects.select_related("access_request")} == {"Ada", "Gil"}
    assert "Deny 1 request?" in words(ask(approver, rows[1:2], "deny"))


def test_r2_before_many_are_decided_all_of_them_can_be_read(scoped, approver, connected):
    people = [make(f"Person {number:03}", email=f"p{number:03}@many.example", hours=number + 1) for number in range(102)]
    page = words(ask(approver, people))
    assert "Show all 102" in page
    assert [person.email for person in people if person.email not in page] == []


def test_each_gets_what_it_asked_for_and_all_can_be_undone_together(desk, approver, rows, wire):
    answer = confirm(approver, rows)
    assert answer.status_code == 302
    batch = Decision.objects.first().batch
    assert answer["Location"] == f"{BULK}{batch}/"
    assert set(states()) == {"held"}
    assert "Undo all" in words(approver.get(answer["Location"]))
    held = words(approver.get(answer["Location"]))
    assert f"<h1>Approve {len(rows)} requests</h1>" in held
    assert f"Sending {len(rows)} approvals" in held
    banner = words(approver.get(PAGE))
    assert f"Approving {Decision.objects.count()} requests" in banner
    assert approver.post(f"{BULK}{batch}/undo/").status_code == 302
    assert set(states()) == {"undone"}
    assert f"0 of {len(rows)} decided, {len(rows)} undone" in words(approver.get(answer["Location"]))
    let_leave()
    assert wire.sent == []
    confirm(approver, rows)
    let_leave()
    assert {row.platform_id for row in rows} <= {*desk.there("historical-access-requests")}
    for row in rows:
        body = next(each for each in Decision.objects.filter(access_request=row, state="done")).terms
        assert body["access_level"] == row.access_level
        assert body["resource_ids"] == (row.requested_resources or [])
    assert all(row.is_settled for row in AccessRequest.objects.filter(pk__in=[row.pk for row in rows]))
    [entry, *_] = Entry.objects.filter(action="access_request.bulk")
    assert entry.summary.startswith(f"Approved {len(rows)} access requests together")


def test_w4_what_fails_in_different_ways_is_listed_with_its_reason_and_tried_again(desk, approver, rows, sandbox):
    by, gone, held, refused, broken, lost, *rest = rows
    confirm(approver, rows, "deny")
    desk.happen("approved", by)
    desk.sandbox.objects.delete(desk.tenant_id, "access-requests", gone.platform_id)
    for row, kind, value in ((refused, "status", 422), (broken, "status", 500), (lost, "drop_answer", None)):
        fault = {} if value is None else {"value": value}
        sandbox.fail(kind, method="POST", path=f"/v1/trust-centers/*/access-requests/{row.platform_id}/*", times=1, **fault)
    Decision.objects.filter(access_request=held).update(state=DecisionState.UNDONE)
    let_leave()
    state = dict(Decision.objects.values_list("access_request", "state"))
    assert [state[row.pk] for row in (by, gone, held, refused, broken, lost)] == [
        *("elsewhere", "failed", "undone", "failed", "failed", "done")
    ]
    assert {state[row.pk] for row in rest} == {"done"}
    report = f"{BULK}{Decision.objects.first().batch}/"
    page = words(approver.get(report))
    for text in ("platform rejected this", "is not available", "no such request", "Approved elsewhere", "Try these 3 again"):
        assert text in page
    approver.post(f"{report}retry/")
    let_leave()
    page = words(approver.get(report))
    assert "Try this one again" in page
    assert f"{len(rest) + 3} of {len(rows)} decided" in page
    posts = [each["path"] for each in sandbox.requests("/access-requests/") if each["method"] == "POST"]
    assert len([path for path in posts if lost.platform_id in path]) == 1


def test_who_was_faster_between_page_and_word_is_listed_not_overruled(desk, rows, alice):
    member = find_member(user=alice)
    first = services.schedule_decision(rows[0], verb=Verb.DENY, reason="No", member=member)
    AccessRequest.objects.filter(pk=rows[1].pk).update(outcome="DENIED")
    batch = services.decide_many(rows[:3], BulkChoice(verb=Verb.DENY, reason="x"), member=member)
    found = Decision.objects.filter(batch=batch).order_by("id")
    assert [each.state for each in found] == ["failed", "elsewhere", "held"]
    assert found[0].description == "Alice Ames already denied it. Your decision wasn't saved."
    first.refresh_from_db()
    assert first.state == "held"


def test_w4_what_others_have_done_between_the_summary_and_the_word_is_listed(desk, approver, rows):
    gone, by, *rest = rows
    ask(approver, rows)
    AccessRequest.objects.filter(pk=gone.pk).update(gone_at=timezone.now())
    AccessRequest.objects.filter(pk=by.pk).update(outcome="DENIED")
    page = words(approver.get(confirm(approver, rows)["Location"]))
    assert "This request is no longer on the platform." in page
    assert "This request was already decided." in page
    assert Entry.objects.get(action="access_request.bulk").summary.startswith(f"Approved {len(rest)} access requests together")


def test_w4_when_others_have_decided_all_of_them_the_report_says_so_and_the_history_nothing_else(desk, approver, rows):
    ask(approver, rows)
    AccessRequest.objects.filter(pk__in=[row.pk for row in rows]).update(outcome="DENIED")
    page = approver.get(confirm(approver, rows)["Location"])
    assert page.status_code == 200
    assert f"0 of {len(rows)} decided" in words(page)
    assert set(states()) == {"elsewhere"}
    assert not Entry.objects.filter(action="access_request.bulk").exists()


def test_what_cannot_be_approved_among_many_by_now_is_named_and_alone_it_is_asked_again(scoped, approver, connected):
    rows = [make("Mallory", email="mallory@blocked.example"), make("Ada")]
    ask(approver, rows)
    ListedDomain.objects.create(domain="blocked.example", kind=ListKind.BLOCKED, why="They sell lists.")
    touch_areas("access_requests")
    alone = confirm(approver, rows[:1])
    assert alone.status_code == 422
    assert "Mallory: its domain is blocked. They sell lists." in words(alone)
    assert not Decision.objects.exists()
    assert "Not approved: Mallory." in words(approver.get(confirm(approver, rows)["Location"]))
    assert Decision.objects.get().access_request == rows[1]


def test_w4_of_two_who_try_again_the_second_is_not_taken_for_the_outcome(desk, approver, rows, sandbox, alice, member):
    sandbox.fail("status", method="POST", path=CALLS, value=422, times=2)
    confirm(approver, rows, "deny")
    let_leave()
    first, second = find_member(user=alice), find_member(user=member(Role.APPROVER))
    one, other = Decision.objects.filter(state="failed").order_by("id")
    # One of them was decided alone meanwhile: nobody is told to have been too late for it.
    services.schedule_decision(one.access_request, verb=Verb.DENY, reason="No", member=first)
    assert services.retry_batch(one.batch, member=second) == 1
    assert Entry.objects.get(action="access_request.bulk_retry").summary == "Retried 1 access request."
    # Somebody who pressed at the same moment was too late for the other one.
    Decision.objects.create(access_request=other.access_request, verb=Verb.DENY, batch=one.batch, state=DecisionState.FAILED)
    report = report_of(one.batch)
    assert [decision.access_request for decision in report.scheduled] == [other.access_request]
    assert report.failed == [one]
    assert services.to_retry(report) == []


def test_w4_what_can_be_decided_no_longer_is_not_offered_to_be_tried_again(desk, approver, rows, sandbox, alice):
    sandbox.fail("status", method="POST", path=CALLS, value=422, times=3)
    confirm(approver, rows[:3], "deny")
    let_leave()
    report = report_of(Decision.objects.first().batch)
    assert len(services.to_retry(report)) == 3
    AccessRequest.objects.filter(pk=rows[0].pk).update(gone_at=timezone.now())
    AccessRequest.objects.filter(pk=rows[1].pk).update(outcome="APPROVED")
    report = report_of(report.decisions[0].batch)
    assert [decision.access_request for decision in services.to_retry(report)] == [rows[2]]
    assert services.retry_batch(report.decisions[0].batch, member=find_member(user=alice)) == 1
    assert Decision.objects.count() == 4


def test_who_was_too_late_in_a_batch_takes_nothing_from_the_decision_that_stands(desk, approver, rows, alice, member):
    first, second = find_member(user=alice), find_member(user=member(Role.APPROVER))
    DeskSettings.objects.update_or_create(defaults={"needs_two_for_approval": True})
    # Whether a visitor asks for everything or for some documents is chance.
    AccessRequest.objects.update(access_level="FULL_ACCESS", requested_resources=None)
    row = AccessRequest.objects.get(pk=rows[0].pk)
    terms = Terms(access_level="FULL_ACCESS", expires_at=None)
    asked = services.schedule_decision(row, verb=Verb.APPROVE, terms=terms, member=first)
    services.decide_many([row], BulkChoice(verb=Verb.DENY, reason="No"), member=second)
    assert "already" in Decision.objects.get(state="failed").description
    assert build([row.pk])[row.pk].actions == ("confirm",)
    [shown] = rows_of([row])
    assert (shown.decision, shown.failure) == (asked, None)
    services.undo(asked, member=first)
    assert build([row.pk])[row.pk].to_do.startswith("Approve or deny")
    assert rows_of([AccessRequest.objects.get(pk=row.pk)])[0].failure is None


def test_all_that_match_means_the_filter_and_has_a_cap(scoped, approver, connected):
    for number in range(MAX_AT_ONCE + 1):
        make(f"P{number}", email=f"p{number}@{'big' if number else 'small'}.example")
    make("Decided", outcome="DENIED")
    assert f"all {MAX_AT_ONCE + 1} that match" in words(approver.get(PAGE))
    every = {"action": "deny", "all": "1"}
    assert f"You can decide at most {MAX_AT_ONCE} requests at a time." in words(approver.post(BULK, every))
    assert "Deny 1 request?" in words(approver.post(f"{BULK}?q=small.example", every))
    assert not Decision.objects.exists()


def test_nothing_selected_and_wrong_words_decide_nothing(desk, approver, rows):
    assert ask(approver, []).status_code == 302
    assert ask(approver, rows, "delete").status_code == 302
    answer = confirm(approver, rows, "deny", **{"deny-words": " "})
    assert answer.status_code == 422
    assert "Enter or choose a reason" in words(answer)
    assert not Decision.objects.exists()


def test_only_approvers_decide_in_bulk_and_no_other_tenant_sees_a_batch(desk, approver, rows, client, member, globex):
    confirm(approver, rows)
    batch = Decision.objects.first().batch
    assert approver.get(f"/t/globex/access-requests/bulk/{batch}/").status_code == 404
    with tenant_scope(globex.pk):
        foreign = make("Zoe", platform_id="theirs")
    assert "nothing was decided" in words(approver.post(BULK, {"action": "deny", "chosen": [foreign.pk]}, follow=True))
    client.force_login(member(Role.ANALYST))
    assert client.get(f"{BULK}{batch}/").status_code == 200
    for path in (BULK, f"{BULK}{batch}/undo/", f"{BULK}{batch}/retry/"):
        assert client.post(path).status_code == 403
    assert set(states()) == {"held"}


def test_a_pause_of_the_platform_is_waited_out(desk, approver, rows, sandbox):
    confirm(approver, rows)
    sandbox.fail("status", method="POST", path=CALLS, value=429, times=1)
    let_leave()
    assert set(states()) == {"held"}
    let_leave()
    assert set(states()) == {"done"}


def test_one_by_one_and_in_bulk_exclude_each_other(desk, approver, rows):
    approve(approver, rows[0])
    page = words(ask(approver, rows))
    assert "Alice Ames decided it, but it hasn&#x27;t been sent yet." in page
