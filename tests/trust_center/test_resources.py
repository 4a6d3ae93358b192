"""Documents: who may change what, what is sent, what a lost answer comes to, the file, and when they have to be renewed."""

import re
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from portal.audit.models import Entry
from portal.notifications.kinds import PAPERS, kind_of_desk
from portal.page_refresh.services import touch_areas
from portal.sync.models import Run, StaleMark
from portal.tenants.models import Role
from portal.tenants.offboarding import purge
from portal.trust_center import search_hits, services
from portal.trust_center.models import FAR, Faq, Framework, Renewal, RenewalRule, Resource
from portal.trust_center.services import ResourceChange, writes
from portal.work_items.kinds import kind_named
from portal.work_items.models import WorkItem
from tests.support.members import find_member
from tests.trust_center.conftest import CALL, PAGE
from tests.work_items.support import kept_up

LIST = f"{PAGE}resources/"


def page_of(row: Resource) -> str:
    return search_hits.resource_url("acme", row.platform_id)


def titles(client, query: str) -> set[str]:
    page = client.get(f"{LIST}?{query}").context["page"]
    return {row.platform_id for row in page.rows}


def filled(client, row: Resource, **typed: str) -> dict[str, str]:
    """What the form of a document holds when it is opened, and what is typed into it."""
    form = client.get(f"{page_of(row)}edit/").context["form"]
    return {name: form[name].value() for name in form.fields} | typed


@pytest.fixture
def private(desk) -> Resource:
    return Resource.objects.filter(is_public=False).order_by("pk")[0]


def test_the_list_is_narrowed_by_access_type_renewal_and_words(client, owner, desk):
    Resource.objects.update(renew_on=FAR)
    due, first = Resource.objects.order_by("pk")[1], Resource.objects.order_by("pk")[0]
    Resource.objects.filter(pk=due.pk).update(renew_on=timezone.localdate() + timedelta(days=30))
    Resource.objects.filter(pk=first.pk).update(file_type="Word", search="ein wort")
    every = set(desk.there("resources"))
    public = {key for key, found in desk.there("resources").items() if found["isPublic"]}
    assert titles(client, "") == every
    assert titles(client, "access=public") == public
    assert titles(client, "access=on-request") == every - public
    assert titles(client, "renewal=needed") == {due.platform_id}
    assert titles(client, "type=Word") == titles(client, "q=wort") == {first.platform_id}


def test_only_what_is_different_is_sent_and_the_row_follows(client, owner, desk, private):
    form = filled(client, private, title="SOC 2 report", access="public")
    assert client.post(f"{page_of(private)}edit/", form)["Location"] == page_of(private)
    there = desk.there("resources")[private.platform_id]
    assert (there["title"], there["isPublic"]) == ("SOC 2 report", True)
    private.refresh_from_db()
    assert (private.title, private.is_public) == ("SOC 2 report", True)
    [entry] = Entry.objects.filter(action="resource.change")
    assert (entry.actor, entry.target_id) == (owner.user, private.platform_id)
    assert entry.summary.endswith(": title, access level.")
    client.post(f"{page_of(private)}edit/", form)
    assert len(desk.calls("PATCH", "/resources/")) == 1, "nothing was different"


def test_who_sees_a_document_is_an_admin_s_to_change(client, desk, private, member):
    analyst = find_member(user=member(Role.ANALYST))
    client.force_login(analyst.user)
    form = filled(client, private, title="By an analyst", description="", access="public")
    client.post(f"{page_of(private)}edit/", form)
    there = desk.there("resources")[private.platform_id]
    assert (there["title"], there["isPublic"]) == ("By an analyst", False)
    with pytest.raises(PermissionDenied):
        services.change_resource(private, ResourceChange(is_public=True), seen="", member=analyst)


def test_a_lost_answer_is_looked_up_and_nothing_is_sent_twice(client, owner, desk, private, sandbox):
    sandbox.fail("drop_answer", method="PATCH", path=f"{CALL}/resources/*", times=1)
    form = filled(client, private, title="Arrived")
    assert client.post(f"{page_of(private)}edit/", form).status_code == 302
    assert len(desk.calls("PATCH", "/resources/")) == 1
    assert Resource.objects.get(pk=private.pk).title == "Arrived"
    # Neither the write nor the look is answered: what was typed stays, and the mirror looks.
    write_and_verify = writes.write_and_verify

    def write(**how):
        sandbox.fail("drop_answer", method="PATCH", path=f"{CALL}/resources/*", times=1)
        sandbox.fail("status", method="GET", path=f"{CALL}/resources/*", value=503, times=9)
        return write_and_verify(**how)

    form = filled(client, private, title="Nobody knows")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writes, "write_and_verify", write)
        answer = client.post(f"{page_of(private)}edit/", form)
    assert answer.status_code == 422
    assert answer.context["form"]["title"].value() == "Nobody knows"
    assert Resource.objects.get(pk=private.pk).title == "Arrived"
    assert StaleMark.objects.filter(kind="resource", object_id=private.platform_id, urgent=True).exists()
    sandbox.control("DELETE", "/faults")
    desk.drain()
    assert Resource.objects.get(pk=private.pk).title == "Nobody knows"


def test_what_a_lost_answer_has_changed_is_not_sent_again(client, owner, desk, private):
    form = filled(client, private, title="Once")
    desk.change("resources", private.platform_id, title="Once")
    assert client.post(f"{page_of(private)}edit/", form).status_code == 302
    assert desk.calls("PATCH", "/resources/") == []
    assert Resource.objects.get(pk=private.pk).title == "Once"


@pytest.mark.parametrize("is_copied", [False, True])
def test_w2_what_somebody_else_has_made_of_a_document_is_shown_before_it_is_replaced(client, owner, desk, is_copied):
    public = Resource.objects.filter(is_public=True).order_by("pk")[0]
    edit = f"{page_of(public)}edit/"
    mine = filled(client, public, description="Mine.")
    desk.change("resources", public.platform_id, title="Theirs", isPublic=False)
    if is_copied:
        desk.compare()
    shown = client.post(edit, mine)
    page = shown.content.decode()
    assert (shown.status_code, "Theirs" in page, "Current version" in page) == (422, True, True)
    assert shown.context["form"]["description"].value() == "Mine."
    assert desk.calls("PATCH", "/resources/") == [], "nothing that was left is sent"
    again = mine | {"seen": shown.context["form"]["seen"].value(), "title": "Theirs", "access": "on-request"}
    assert client.post(edit, again).status_code == 302
    there = desk.there("resources")[public.platform_id]
    assert (there["title"], there["description"], there["isPublic"]) == ("Theirs", "Mine.", False)


@pytest.mark.parametrize("there", ["One.\nTwo.", "One.\r\nTwo."])
def test_line_breaks_of_a_browser_are_no_change(client, owner, desk, private, there):
    desk.change("resources", private.platform_id, description=there)
    desk.compare()
    edit, form = f"{page_of(private)}edit/", filled(client, private, description="One.\r\nTwo.")
    assert "No changes, so nothing was sent" in client.post(edit, form, follow=True).content.decode()
    assert client.post(edit, form | {"title": "Another"}).status_code == 302
    changed = desk.there("resources")[private.platform_id]
    assert (changed["title"], changed["description"]) == ("Another", there), "what was left is not sent"


def test_what_is_gone_there_is_said_and_looked_at(client, owner, desk, private):
    form = filled(client, private, title="Too late")
    desk.objects.delete(desk.tenant_id, "resources", private.platform_id)
    assert client.post(f"{page_of(private)}edit/", form).status_code == 422
    assert StaleMark.objects.filter(kind="resource", object_id=private.platform_id).exists()


def test_w2_what_was_typed_stays_when_the_document_is_gone_meanwhile(client, owner, desk, private):
    form = filled(client, private, title="Too late")
    desk.objects.delete(desk.tenant_id, "resources", private.platform_id)
    Resource.objects.filter(pk=private.pk).update(gone_at=timezone.now())
    answer = client.post(f"{page_of(private)}edit/", form)
    assert (answer.status_code, answer.context["form"]["title"].value()) == (422, "Too late")
    assert "have this anymore" in answer.content.decode()
    assert client.get(f"{page_of(private)}edit/").status_code == 404


def test_r3_a_list_that_was_never_read_is_not_counted_as_empty_on_the_tabs(client, owner, desk):
    Faq.objects.all().delete()
    Run.objects.filter(kind="faq").delete()
    Framework.objects.all().delete()
    touch_areas("trust_center")
    page = client.get(LIST).content.decode()
    tabs = dict(re.findall(r'>(FAQs|Documents|Compliance frameworks) <span class="num">(.+?)</span>', page))
    assert tabs == {"Documents": str(Resource.objects.count()), "FAQs": "–", "Compliance frameworks": "0"}


def test_the_file_comes_whole_through_the_portal_and_that_is_written_down(client, bob, desk, private, sandbox):
    client.force_login(bob)
    answer = client.post(f"{page_of(private)}download/")
    assert b"".join(answer.streaming_content)
    assert answer["Content-Disposition"].startswith("attachment")
    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == ("application/octet-stream", "nosniff")
    assert Entry.objects.filter(action="resource.download", actor=bob, target_id=private.platform_id).count() == 1
    sandbox.fail("status", method="GET", path=f"{CALL}/media", value=503, times=9)
    assert client.post(f"{page_of(private)}download/")["Location"] == page_of(private)
    assert Entry.objects.filter(action="resource.download").count() == 1


def open_items() -> set[int]:
    kept_up()
    items = WorkItem.objects.filter(kind="document_renewal", visible_from__lte=timezone.now())
    return set(items.values_list("object_id", flat=True))


def test_a_report_is_work_a_year_after_it_was_added_until_its_day_moves(client, owner, desk, private):
    def make(**fields: object) -> Resource:
        there = desk.there("resources")[private.platform_id] | fields
        desk.objects.save(desk.tenant_id, "resources", there)
        desk.compare()
        return Resource.objects.get(pk=private.pk)

    # A day is one of UTC, in whichever zone it is written.
    late = make(title="Penetration test report", creationDate="2031-01-01T20:00:00-05:00")
    assert late.renew_on.isoformat() == "2032-01-02"
    old = (timezone.now() - timedelta(days=340)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    assert make(title="Information security policy", creationDate=old).renew_on == FAR
    row = make(title="Penetration test report")
    assert row.renew_on == row.created_at.date() + timedelta(days=365)
    assert row.pk in open_items()
    later = timezone.localdate() + timedelta(days=90)
    assert client.post(f"{page_of(row)}renewal/", {"rule": "day", "renew_on": ""}).status_code == 422
    client.post(f"{page_of(row)}renewal/", {"rule": "day", "renew_on": later.isoformat()})
    assert Resource.objects.get(pk=row.pk).renew_on == later
    assert row.pk not in open_items()
    assert make(description="Changed there").renew_on == later, "the mirror leaves it alone"
    client.post(f"{page_of(row)}renewal/", {"rule": "never"})
    assert Resource.objects.get(pk=row.pk).renew_on == FAR
    client.post(f"{page_of(row)}renewal/", {"rule": "automatic"})
    assert row.pk in open_items()
    Resource.objects.filter(pk=row.pk).update(gone_at=timezone.now())
    assert row.pk not in open_items()
    assert Entry.objects.filter(action="resource.renewal").count() == 3


def test_what_was_decided_about_a_renewal_survives_a_new_copy(client, owner, desk, private):
    day = timezone.localdate() + timedelta(days=400)
    services.set_renewal(private, RenewalRule.DAY, renew_on=day, member=owner)
    purge()
    assert not Resource.objects.exists()
    assert Renewal.objects.count() == 1


def test_the_team_is_told_of_it_and_its_page_is_where_the_work_is(desk, private):
    kind = kind_named("document_renewal")
    assert kind is not None
    Resource.objects.filter(pk=private.pk).update(renew_on=timezone.localdate())
    assert kind.build([private.pk])[private.pk].url("acme") == page_of(private)
    assert kind_of_desk(kind.desk) is PAPERS


def test_w2_a_title_longer_than_our_column_stays_whole_when_a_document_is_changed(client, owner, desk, private):
    long = "Penetration test " * 25 + "2026"
    desk.change("resources", private.platform_id, title=long, description="One.\n" * 12_000 + "The end.")
    desk.compare()
    form = filled(client, private)
    assert (form["title"], form["description"].endswith("The end.")) == (long, True)
    assert client.post(f"{page_of(private)}edit/", form | {"title": f"{long[:-4]}2027"}).status_code == 302
    there = desk.there("resources")[private.platform_id]
    assert (there["title"], there["description"].endswith("The end.")) == (f"{long[:-4]}2027", True)
