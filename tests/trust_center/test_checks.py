"""Content that is not right any more although nobody changed it: noticed, shown with why, put right, dismissed, and back."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from portal.audit.models import Entry
from portal.questionnaires.mirror import MIRRORS as QUESTIONNAIRES
from portal.questionnaires.models import Drift, Questionnaire, Response
from portal.questionnaires.sent_answers import Comparison
from portal.sync.models import Run
from portal.tenants.models import Role, Tenant
from portal.tenants.scope import tenant_scope
from portal.trust_center import services
from portal.trust_center.mirror import MIRRORS
from portal.trust_center.models import FAR, Cause, ContentCheck, ContentSweep, Faq, RenewalRule, Resource
from portal.trust_center.search_hits import check_url, faq_url
from portal.trust_center.tasks import check_content, sweep_content
from portal.work_items.models import WorkItem
from tests.conftest import SandboxHandle
from tests.questionnaires.conftest import TWO_PARTS
from tests.support.kept import after
from tests.support.members import find_member
from tests.support.readings import all_was_read
from tests.trust_center.conftest import PAGE, Desk
from tests.work_items.support import kept_up

LIST = f"{PAGE}to-check/"
ASKED, OTHERWISE = "How soon do you tell of a breach?", "Within what time is a customer told of a breach?"


class BothDesks(Desk):
    """The Trust Center and the questionnaires of one tenant."""

    mirrors = (*QUESTIONNAIRES, *MIRRORS)


def told_apart(sandbox: SandboxHandle, tenant_id: str) -> None:
    """Have a copy in which no question is asked twice, and nothing is finished."""
    desk = BothDesks(sandbox, tenant_id)
    desk.compare()
    for row in Questionnaire.objects.all():
        desk.change("questionnaires", row.platform_id, status="IN_PROGRESS")
    for row in Resource.objects.all():
        desk.change("resources", row.platform_id, title=f"Policy {row.pk}")
    for row in Faq.objects.all():
        desk.change("faqs", row.platform_id, question=f"Something else {row.pk}?", answer=f"Word {row.pk}.")
    desk.compare()


@pytest.fixture
@after(told_apart)
def desk(connected, scoped, sandbox, platform_tenant) -> BothDesks:
    return BothDesks(sandbox, platform_tenant["tenant_id"])


@pytest.fixture
def faq(desk) -> Faq:
    return Faq.objects.order_by("pk")[0]


@pytest.fixture
def tell(desk):
    """Give the question these answers, in one finished questionnaire after the other, there and here."""

    def answer(*answers: dict, question: str = ASKED, number: int = 0) -> None:
        rows = list(Questionnaire.objects.order_by("pk"))[number:]
        for row, values in zip(rows, answers, strict=False):
            one = Response.objects.filter(questionnaire=row).order_by("position")[0]
            changes = {"question": question, "answerPartsSchema": TWO_PARTS, "answerPartsValues": values}
            desk.change("responses", one.platform_id, **changes)
            moment = f"2099-01-01T00:00:0{row.pk % 10}.{len(str(values)):03}Z"
            desk.change("questionnaires", row.platform_id, status="COMPLETE", updatedDate=moment)
        desk.compare()

    return answer


def say(desk, faq: Faq, answer: str, question: str = ASKED) -> None:
    desk.change("faqs", faq.platform_id, question=question, answer=answer)
    desk.compare()


def check() -> list[ContentCheck]:
    assert not services.check_content(seconds=600)
    return list(ContentCheck.objects.open())


def work() -> set[tuple[str, int]]:
    kept_up()
    kinds = ("faq_contradiction", "document_renewal")
    items = WorkItem.objects.filter(kind__in=kinds, visible_from__lte=timezone.now())
    return set(items.values_list("kind", "object_id"))


def test_a_faq_that_says_another_figure_or_no_for_yes_contradicts_what_was_sent(desk, faq, tell):
    tell({"p1": "Yes", "p2": "Within 24 hours."})
    for answer, difference in (
        ("Within 72 hours.", "Another figure"),
        ("No.", "Yes against No"),
        ("Yes, within 24 hours.", ""),
        ("Within 24 hours of noticing it.", ""),
        ("At once.", ""),
        ("", ""),
    ):
        say(desk, faq, answer)
        found = check()
        assert [(each.cause, each.object_key, each.difference) for each in found] == (
            [(Cause.CONTRADICTION, faq.pk, difference)] if difference else []
        ), answer


def test_only_what_a_customer_has_counts(desk, faq, tell):
    say(desk, faq, "Within 72 hours.")
    tell({"p2": "Within 24 hours."})
    assert check()
    for row in Questionnaire.objects.all():
        desk.change("questionnaires", row.platform_id, status="IN_PROGRESS", updatedDate="2099-02-01T00:00:00.000Z")
    desk.compare()
    Faq.objects.update(compared_at=timezone.now() - timedelta(hours=2))
    assert check() == [], "it is still being worked on"


def test_where_somebody_has_said_which_answer_is_right_the_others_count_no_more(desk, faq, tell):
    tell({"p2": "Within 24 hours."}, {"p2": "Within 72 hours."})
    say(desk, faq, "Within 72 hours.")
    assert check()
    right, wrong = Response.objects.filter(question=ASKED).order_by("pk")
    if "72" not in right.answer_text:
        right, wrong = wrong, right
    drift = Drift(question_key=right.question_key, newest_at=timezone.now(), checked_at=timezone.now())
    drift.take({"one": [right.answer_key], "other": [wrong.answer_key]})
    drift.resolve("one")
    # The keys of what they say are those of the comparison.
    drift.right_answer = [*drift.right_answer, *_meanings_of(right)]
    drift.save()
    Faq.objects.update(compared_at=None)
    assert check() == []


def _meanings_of(row: Response) -> list[str]:
    sent = Comparison().meanings_of(row.question_key)
    return [key for key, answer in sent.items() if row.answer_key in answer.wordings]


def test_documents_whose_day_is_near_are_told_apart_by_who_set_it(client, owner, desk):
    today = timezone.localdate()
    one, other = Resource.objects.order_by("pk")[:2]
    services.set_renewal(one, RenewalRule.DAY, renew_on=today + timedelta(days=5), member=owner)
    assert [(each.cause, each.object_key) for each in ContentCheck.objects.all()] == [(Cause.EXPIRES, one.pk)], "at once"
    old = (timezone.now() - timedelta(days=400)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    desk.change("resources", other.platform_id, title="Penetration test report", creationDate=old)
    desk.compare()
    assert [(each.cause, each.object_key, each.is_over(today)) for each in check()] == [
        (Cause.OLD_REPORT, other.pk, True),
        (Cause.EXPIRES, one.pk, False),
    ]
    services.set_renewal(one, RenewalRule.NEVER, renew_on=None, member=owner)
    assert [each.object_key for each in ContentCheck.objects.all()] == [other.pk], "put right on its page"
    desk.objects.delete(desk.tenant_id, "resources", other.platform_id)
    Resource.objects.filter(pk=other.pk).update(gone_at=timezone.now())
    assert check() == []


def test_it_is_work_until_it_is_dismissed_and_again_when_something_changes(client, owner, desk, faq, tell):
    tell({"p2": "Within 24 hours."})
    say(desk, faq, "Within 72 hours.")
    services.set_renewal(Resource.objects.all()[0], RenewalRule.DAY, renew_on=timezone.localdate(), member=owner)
    document, contradiction = sorted(check(), key=lambda each: each.subject, reverse=True)
    everything = {("faq_contradiction", contradiction.pk), ("document_renewal", document.object_key)}
    assert work() == everything
    for row in (document, contradiction):
        page = f"{LIST}{row.pk}/"
        answer = client.post(page, {"reason": "It is right so", "seen": row.sign})
        assert answer["Location"] == LIST
        client.post(page, {"reason": "Pressed twice", "seen": row.sign})
        row.refresh_from_db()
        assert (row.is_open, row.reason, row.dismissed_by) == (False, "It is right so", owner.user)
    assert work() == set()
    assert check() == []
    entries = Entry.objects.filter(action="content_check.dismiss")
    assert {entry.target_id for entry in entries} == {document.platform_id, contradiction.platform_id}
    assert entries.count() == 2
    # The same once more changes nothing; another answer, or another document, does.
    Faq.objects.update(compared_at=None)
    assert check() == []
    tell({"p2": "Within 36 hours."}, number=1)
    Faq.objects.update(compared_at=None)
    desk.change("resources", document.platform_id, updatedDate="2099-03-01T00:00:00.000Z")
    desk.compare()
    assert {each.pk for each in check()} == {document.pk, contradiction.pk}
    assert work() == everything


def test_what_was_dismissed_is_brought_back(client, owner, desk):
    services.set_renewal(Resource.objects.all()[0], RenewalRule.DAY, renew_on=timezone.localdate(), member=owner)
    [row] = check()
    services.dismiss(row, "Right so", seen=row.sign, member=owner)
    for _ in range(2):
        assert client.post(f"{LIST}{row.pk}/bring-back/")["Location"] == LIST
    row.refresh_from_db()
    assert (row.is_open, row.reason, row.dismissed_at) == (True, "", None)
    assert Entry.objects.filter(action="content_check.bring_back").count() == 1


def test_what_was_found_since_is_not_dismissed_unseen_and_no_address_is_kept(client, owner, desk):
    services.set_renewal(Resource.objects.all()[0], RenewalRule.DAY, renew_on=timezone.localdate(), member=owner)
    [row] = check()
    page = f"{LIST}{row.pk}/"
    assert client.post(page, {"reason": "", "seen": row.sign}).status_code == 422
    assert client.post(page, {"reason": "As jane@acme.example says", "seen": row.sign}).status_code == 422
    assert client.post(page, {"reason": "Right so", "seen": "of before"})["Location"] == page
    row.refresh_from_db()
    assert row.is_open
    assert not Entry.objects.filter(action="content_check.dismiss").exists()


def test_analysts_decide_and_viewers_look(client, desk, owner, bob, member):
    services.set_renewal(Resource.objects.all()[0], RenewalRule.DAY, renew_on=timezone.localdate(), member=owner)
    [row] = check()
    client.force_login(bob)
    assert list(client.get(LIST).context["page"].rows) == [row]
    assert client.post(f"{LIST}{row.pk}/", {"reason": "No", "seen": row.sign}).status_code == 403
    with pytest.raises(PermissionDenied):
        services.dismiss(row, "No", seen=row.sign, member=find_member(user=bob))
    analyst = find_member(user=member(Role.ANALYST))
    services.dismiss(row, "Right so", seen=row.sign, member=analyst)
    with pytest.raises(PermissionDenied):
        services.bring_back(row, member=find_member(user=bob))


def test_the_page_of_the_object_and_the_list_say_why(client, owner, desk, faq, tell):
    tell({"p2": "Within 24 hours."})
    say(desk, faq, "Within 72 hours.")
    [row] = check()
    shown = client.get(faq_url("acme", faq.platform_id))
    assert shown.context["check"] == row
    [sent] = shown.context["sent_answers"]
    assert (sent.question, sent.answer) == (ASKED, "Within 24 hours.")
    assert f'href="{sent.url}"' in shown.content.decode()
    assert check_url("acme", row) in client.get(LIST).content.decode()
    assert list(client.get(f"{LIST}?cause=expires").context["page"].rows) == []
    assert list(client.get(f"{LIST}?q=breach").context["page"].rows) == [row]
    assert list(client.get(f"{LIST}?show=dismissed").context["page"].rows) == []


def test_s8_the_export_is_what_the_list_shows_and_is_written_down(client, owner, desk, bob):
    services.set_renewal(Resource.objects.all()[0], RenewalRule.DAY, renew_on=timezone.localdate(), member=owner)
    [row] = check()
    content = b"".join(client.post(f"{LIST}export/?cause=expires").streaming_content).decode()
    assert row.title in content
    assert row.title not in b"".join(client.post(f"{LIST}export/?show=dismissed").streaming_content).decode()
    assert Entry.objects.filter(action="content_check.export", actor=owner.user).count() == 2
    client.force_login(bob)
    assert client.post(f"{LIST}export/").status_code == 403


def test_r3_nothing_is_said_to_be_right_before_it_was_looked_at(client, owner, desk):
    assert "Not checked yet" in client.get(LIST).content.decode()
    Run.objects.filter(kind="questionnaire").delete()
    check()
    assert not Faq.objects.exclude(compared_at=None).exists(), "there is nothing to compare it with"
    shown = client.get(LIST)
    assert shown.context["progress"].uncompared == Faq.objects.present().count()
    assert [tab["count"] for tab in shown.context["tabs"] if tab["label"] == "To check"] == [None]
    desk.compare()
    check()
    shown = client.get(LIST)
    assert [tab["count"] for tab in shown.context["tabs"] if tab["label"] == "To check"] == [0]
    assert "Nothing to check" in shown.content.decode()


def test_a_changed_faq_is_compared_anew_and_the_others_are_left(desk, faq):
    check()
    say(desk, faq, "Another answer.")
    assert list(Faq.objects.filter(compared_at=None)) == [faq]
    check()
    assert not Faq.objects.filter(compared_at=None).exists()


def test_a_turn_ends_in_time_and_goes_on(desk):
    number = Faq.objects.present().count()
    assert services.check_content(seconds=0)
    assert Faq.objects.filter(compared_at=None).count() == number - 1
    assert not ContentSweep.objects.exists()
    check()
    assert ContentSweep.objects.get().checked_at


def test_the_sweep_finds_the_tenants_whose_content_is_due(desk, acme, globex, enqueued_tasks):
    sweep_content()
    assert enqueued_tasks == [acme.pk]
    check_content(acme.pk)
    enqueued_tasks.clear()
    sweep_content()
    assert enqueued_tasks == []
    ContentSweep.objects.update(checked_at=timezone.now() - timedelta(minutes=6))
    sweep_content()
    assert enqueued_tasks == [acme.pk]
    enqueued_tasks.clear()
    with tenant_scope(globex.pk):
        Faq.objects.create(platform_id="theirs", question=ASKED, answer="Within 72 hours.")
        ContentSweep.objects.create(checked_at=timezone.now() - timedelta(minutes=7))
    sweep_content()
    assert enqueued_tasks == [globex.pk, acme.pk], "who waits longest comes first"
    Tenant.objects.filter(pk=globex.pk).update(closed_at=timezone.now())
    enqueued_tasks.clear()
    sweep_content()
    assert enqueued_tasks == [acme.pk]


@pytest.fixture
def enqueued_tasks(monkeypatch) -> list[int]:
    sent: list[int] = []
    monkeypatch.setattr("portal.trust_center.tasks.enqueue.enqueue_on_commit", lambda task, tenant_id: sent.append(tenant_id))
    return sent


def test_s1_what_one_tenant_sent_contradicts_nothing_of_another(desk, faq, tell, globex):
    tell({"p2": "Within 24 hours."})
    with tenant_scope(globex.pk):
        all_was_read("questionnaire")
        Faq.objects.create(platform_id="theirs", question=ASKED, answer="Within 72 hours.")
        assert not services.check_content(seconds=600)
        assert Faq.objects.get().compared_at
        assert not ContentCheck.objects.exists()


def test_nothing_has_a_day_that_has_none(desk, faq, tell):
    tell({"p2": "Within 24 hours."})
    say(desk, faq, "Within 72 hours.")
    [row] = check()
    assert (row.due_on, row.has_day) == (FAR, False)
