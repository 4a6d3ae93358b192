"""The set-up of a tenant: what ticks its steps off, where each leads, and who sees it."""

import pytest

from portal.audit.models import Entry
from portal.calendars.models import OfficeHours
from portal.connections.models import Connection, State
from portal.connections.services import learn_slug_id
from portal.first_hour.models import Dismissal
from portal.first_hour.selectors import first_hour
from portal.first_hour.steps import STEPS
from portal.inbox.models import Endpoint
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.conftest import SECRET

pytestmark = pytest.mark.django_db
ROOT = "/t/acme/first-hour/"
PAGES = {
    "connect": "connect/",
    "trust_center": "trust-center/",
    "webhooks": "webhooks/",
    "invite": "invite/",
    "hours": "hours/",
}
WEEK = {f"{end}_{day}": at for day in range(5) for end, at in (("from", "08:00"), ("to", "16:00"))}


@pytest.fixture
def owner(client, alice, acme):
    client.force_login(alice)
    return client


def done() -> list[str]:
    return [each.step.key for each in first_hour().steps if each.is_done]


def test_nothing_is_done_in_a_new_tenant_and_the_first_step_is_now(scoped):
    hour = first_hour()
    assert done() == []
    assert [each.state for each in hour.steps] == ["now", "todo", "todo", "todo", "todo"]
    assert not hour.may_dismiss
    assert not hour.is_over


def test_each_step_is_ticked_off_by_its_fact(connected, acme, member, deliver):
    with tenant_scope(acme.pk):
        assert done() == ["connect", "trust_center"]
        Connection.objects.update(slug_id="")
        assert done() == ["connect"]
        learn_slug_id("abc123")
        assert done() == ["connect", "trust_center"]
        assert first_hour().standing("webhooks").detail == "Waiting for the first delivery"
    deliver({"questionnaire": {"id": "q1"}})
    with tenant_scope(acme.pk):
        assert done() == ["connect", "trust_center", "webhooks"]
    member(Role.ANALYST)
    with tenant_scope(acme.pk):
        assert done() == ["connect", "trust_center", "webhooks", "invite"]
        OfficeHours.objects.create(zone="Europe/Vienna")
        assert first_hour().standing("hours").detail == "Europe/Vienna"
        assert first_hour().is_over


def test_facts_of_another_tenant_tick_nothing_off(globex, mallory, acme, connected, member, deliver):
    deliver({"questionnaire": {"id": "q1"}})
    member(Role.ANALYST)
    with tenant_scope(acme.pk):
        OfficeHours.objects.create()
        Dismissal.objects.create()
    with tenant_scope(globex.pk):
        assert done() == []
        assert not first_hour().is_over


def test_an_invitation_counts_before_it_is_accepted(owner, acme):
    owner.post(ROOT + "invite/", {"email": "otto@acme.example", "role": Role.ANALYST.value})
    with tenant_scope(acme.pk):
        assert done() == ["invite"]


@pytest.mark.parametrize("state", [State.NEEDS_RECONNECTION, State.DISCONNECTED])
def test_a_grant_that_ended_is_no_matter_of_the_set_up(connected, acme, state):
    with tenant_scope(acme.pk):
        Connection.objects.update(state=state)
        assert first_hour().is_over


def test_an_account_that_needs_confirmation_is_not_connected(connected, acme):
    with tenant_scope(acme.pk):
        Connection.objects.update(state=State.UNCONFIRMED)
        assert first_hour().next.step.key == "connect"
        assert not first_hour().is_over


def test_a_new_tenant_begins_with_the_first_step(owner):
    assert owner.post("/tenants/new/", {"name": "Initech"})["Location"] == "/t/initech/first-hour/connect/"


def test_the_consent_leads_back_to_the_next_step(owner, sandbox, platform_tenant):
    start = owner.post(ROOT + "connect/consent/", {"region": "eu"})
    back = owner.get("/connect/callback/", sandbox.consent(start["Location"], platform_tenant["tenant_id"]))
    landed = owner.get(back["Location"])
    assert landed["Location"] == ROOT + "trust-center/"


def test_after_the_first_hour_the_consent_leads_to_the_connection(owner, connected, acme):
    with tenant_scope(acme.pk):
        Dismissal.objects.create()
    assert owner.get(ROOT + "connected/")["Location"] == "/t/acme/settings/connection/"


def test_every_page_shows_its_step_and_ends_in_the_next(owner, connected):
    for number, step in enumerate(STEPS, 1):
        page = owner.get(ROOT + PAGES[step.key])
        assert page.status_code == 200
        assert f"Step {number} of 5" in page.content.decode()
        following = next((each for each in STEPS[number:] if each.key not in ("connect", "trust_center")), None)
        assert page.context["following_url"] == (ROOT + PAGES[following.key] if following else "/t/acme/")


def test_what_cannot_be_done_without_is_not_skipped(owner):
    assert "Skip for now" not in owner.get(ROOT + "connect/").content.decode()
    for step in STEPS[1:]:
        page = owner.get(ROOT + PAGES[step.key]).content.decode()
        assert "Skip for now" in page
        assert step.without in page


@pytest.mark.parametrize(
    "text", ["{slug}", "https://trust.example.com/{slug}", "https://trust.example.com/acme/{slug}/?tab=faq#x"]
)
def test_the_trust_center_is_taken_from_its_id_or_its_whole_address(owner, connected, platform_tenant, acme, text):
    with tenant_scope(acme.pk):
        Connection.objects.update(slug_id="")
    answer = owner.post(ROOT + "trust-center/", {"slug_id": text.format(slug=platform_tenant["slugId"])})
    assert answer["Location"] == ROOT + "webhooks/"
    with tenant_scope(acme.pk):
        connection = Connection.objects.get()
    assert connection.slug_id == platform_tenant["slugId"]
    assert connection.slug_verified_at


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nowhere", "The platform has no Trust Center"),
        ("https://trust.example.com/", "ends without an id"),
        ("https://trust.example.com/%00", "is not a valid Trust Center id"),
        ("https://[", "ends without an id"),
    ],
)
def test_a_trust_center_that_is_not_there_is_refused_on_the_same_page(owner, connected, acme, text, words):
    answer = owner.post(ROOT + "trust-center/", {"slug_id": text})
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert "Step 2 of 5" in answer.content.decode()


def test_the_trust_center_waits_for_the_connection(owner):
    page = owner.post(ROOT + "trust-center/", {"slug_id": "abc"})
    assert page.status_code == 200
    assert "Connect the platform first" in page.content.decode()


def test_the_webhook_step_ticks_off_the_example_on_the_open_page(owner, connected, acme, deliver):
    with tenant_scope(acme.pk):
        Endpoint.objects.update(secret=b"", secret_entered_at=None)
    page = owner.get(ROOT + "webhooks/").content.decode()
    assert "/hooks/" in page
    assert "Not set up yet" in page
    assert owner.post(ROOT + "webhooks/", {"endpoint-0-secret": "x"}).status_code == 422
    with tenant_scope(acme.pk):
        endpoint = Endpoint.objects.get(event_type="")
    answer = owner.post(ROOT + "webhooks/", {f"endpoint-{endpoint.pk}-secret": SECRET})
    assert answer["Location"] == ROOT + "webhooks/"
    page = owner.get(ROOT + "webhooks/")
    assert "Waiting for the first delivery" in page.content.decode()
    assert SECRET not in page.content.decode()
    polled = {"HX-Request": "true", "Seen": page.context["hour"].page_version}
    assert owner.get(ROOT + "webhooks/", headers=polled).status_code == 204
    deliver({"questionnaire": {"id": "123"}})
    news = owner.get(ROOT + "webhooks/", headers=polled).content.decode()
    assert "The first delivery has arrived" in news
    assert "Next: Invite your team" in news
    assert "<html" not in news


def test_hours_begin_with_the_person_s_zone_and_end_the_first_hour(owner, alice, acme):
    alice.timezone = "Europe/Vienna"
    alice.save()
    assert owner.get(ROOT + "hours/").context["form"]["zone"].value() == "Europe/Vienna"
    assert owner.post(ROOT + "hours/", {"zone": "nowhere"}).status_code == 422
    assert owner.post(ROOT + "hours/", {"zone": "Europe/Vienna", **WEEK})["Location"] == "/t/acme/"
    with tenant_scope(acme.pk):
        assert OfficeHours.objects.get().week[0] == [480, 960]


def test_the_strip_leads_to_the_first_step_that_is_left(owner, connected):
    page = owner.get("/t/acme/").content.decode()
    assert "2 of 5 done" in page
    assert f'class="btn primary" href="{ROOT}webhooks/"' in page


def test_the_strip_is_for_those_who_can_set_up_something(client, member, acme):
    for role in (Role.VIEWER, Role.ANALYST, Role.APPROVER):
        client.force_login(member(role))
        assert "first-hour" not in client.get("/t/acme/").content.decode()
        assert client.get(ROOT + "webhooks/").status_code == 403
    client.force_login(member(Role.ADMIN))
    assert "first-hour" in client.get("/t/acme/").content.decode()
    assert "Only an owner" in client.get(ROOT + "connect/").content.decode()
    assert client.post(ROOT + "connect/consent/", {"region": "eu"}).status_code == 403


def test_the_strip_is_dismissed_once_connected(owner, acme):
    owner.post(ROOT + "dismiss/")
    with tenant_scope(acme.pk):
        assert not Dismissal.objects.exists()
    assert "Set up Acme" in owner.get("/t/acme/").content.decode()


def test_a_dismissed_strip_stays_away_and_its_pages_stay(owner, connected, acme):
    page = owner.get("/t/acme/")
    assert "Dismiss the setup" in page.content.decode()
    owner.post(ROOT + "dismiss/")
    owner.post(ROOT + "dismiss/")
    assert "Set up Acme" not in owner.get("/t/acme/").content.decode()
    assert owner.get(ROOT + "hours/").status_code == 200
    with tenant_scope(acme.pk):
        assert Entry.objects.filter(action="first_hour.dismiss").count() == 1


def test_an_open_strip_hears_of_changes_only(owner, connected, acme):
    with tenant_scope(acme.pk):
        seen = first_hour().page_version
    headers = {"HX-Request": "true", "Seen": seen}
    assert owner.get(ROOT + "strip/", headers=headers).status_code == 204
    owner.post(ROOT + "invite/", {"email": "otto@acme.example", "role": Role.ANALYST.value})
    assert "3 of 5 done" in owner.get(ROOT + "strip/", headers=headers).content.decode()


def test_the_strip_costs_three_queries(connected, acme, django_assert_max_num_queries):
    with tenant_scope(acme.pk):
        first_hour()
        with django_assert_max_num_queries(3):
            first_hour()
