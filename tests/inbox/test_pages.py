import json
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from portal.audit.models import Entry
from portal.inbox.models import Delivery, DeliveryState, Endpoint
from portal.inbox.selectors import attention_count, deliveries
from portal.inbox.services import ensure_endpoints
from portal.lib.sealed import Locked
from portal.tenants.models import Role
from portal.tenants.scope import tenant_scope
from tests.conftest import SECRET
from tests.inbox.conftest import send

pytestmark = pytest.mark.once

NEW = "whsec_" + "Qk5X" * 11
PAGE = "/t/acme/settings/webhooks/"


@pytest.fixture
def page(client, alice, acme):
    """Open the webhooks page as acme's owner; return its text."""
    client.force_login(alice)

    def open_page(query: str = "", **headers: str) -> str:
        return client.get(PAGE + query, headers=headers).content.decode()

    return open_page


@pytest.fixture
def kept(catch_all, acme) -> Delivery:
    """One delivery of acme."""
    send(catch_all, {"questionnaire": {"id": "q1"}}, hook_id="msg_kept")
    with tenant_scope(acme.pk):
        return Delivery.objects.get()


def enter(client, endpoint: Endpoint, secret: str, **values: str):
    prefix = f"endpoint-{endpoint.pk}"
    address = reverse("inbox:secret", args=["acme", endpoint.pk])
    return client.post(address, {f"{prefix}-secret": secret} | {f"{prefix}-{name}": value for name, value in values.items()})


def fresh(endpoint: Endpoint) -> Endpoint:
    with tenant_scope(endpoint.tenant_id):
        return Endpoint.objects.get(pk=endpoint.pk)


def test_an_admin_is_shown_every_address_to_copy(page, acme):
    text = page()
    with tenant_scope(acme.pk):
        addresses = [endpoint.url for endpoint in ensure_endpoints()]
    assert len(addresses) == 10
    assert all(f'value="{address}"' in text for address in addresses)


def test_who_only_reads_sees_the_deliveries_but_no_address(client, bob, kept, endpoints):
    client.force_login(bob)
    text = client.get(PAGE).content.decode()
    assert "msg_kept" in text
    assert not any(endpoint.public_id in text for endpoint in endpoints.values())
    assert "Replay" not in client.get(f"{PAGE}deliveries/{kept.pk}/").content.decode()


@pytest.mark.parametrize("role", [Role.VIEWER, Role.ANALYST, Role.APPROVER])
def test_only_admins_enter_secrets_and_replay(client, member, kept, catch_all, role):
    client.force_login(member(role))
    assert enter(client, catch_all, NEW).status_code == 403
    assert client.post(f"{PAGE}deliveries/{kept.pk}/replay/").status_code == 403


def test_the_first_secret_is_entered(client, page, acme):
    page()
    with tenant_scope(acme.pk):
        endpoint = ensure_endpoints()[0]
    response = enter(client, endpoint, f"  {SECRET} ")
    assert response["Location"] == f"{PAGE}#endpoint-{endpoint.pk}"
    assert fresh(endpoint).secrets(timezone.now()) == [SECRET]
    assert "Secret entered" in page()


@pytest.mark.parametrize(("keep", "hours"), [("24", 24), ("1", 1), ("96", 96)])
def test_h9_during_a_rotation_both_secrets_are_good_and_the_page_says_until_when(client, page, catch_all, keep, hours):
    page()
    enter(client, catch_all, NEW, keep=keep)
    endpoint = fresh(catch_all)
    assert endpoint.secrets(timezone.now()) == [NEW, SECRET]
    assert endpoint.secrets(timezone.now() + timedelta(hours=hours, minutes=1)) == [NEW]
    text = page()
    assert "Two secrets valid" in text
    assert "The one before it is accepted until" in text


def test_h9_a_leaked_secret_can_be_dropped_at_once(client, page, catch_all):
    page()
    enter(client, catch_all, NEW, keep="0")
    assert fresh(catch_all).secrets(timezone.now()) == [NEW]


@pytest.mark.parametrize("wrong", ["", "hunter2", "whsec_", "whsec_%%%%", "whsec_QUJD", "QUFB" * 11, "whsec_" + "é" * 40])
def test_a_secret_that_is_none_is_refused_kept_out_of_the_page_and_changes_nothing(client, page, catch_all, wrong):
    page()
    response = enter(client, catch_all, wrong)
    assert response.status_code == 422
    assert fresh(catch_all).secrets(timezone.now()) == [SECRET]
    if len(wrong) > len("whsec_"):
        assert wrong not in response.content.decode()


def test_s6_a_secret_once_entered_is_nowhere_to_be_seen(client, page, catch_all, acme):
    page()
    enter(client, catch_all, NEW)
    endpoint = fresh(catch_all)
    with tenant_scope(acme.pk):
        audit = json.dumps([[entry.summary, entry.details] for entry in Entry.objects.all()])
        stored = b"".join(bytes(getattr(endpoint, field)) for field in ("secret", "previous_secret"))
    for secret in (SECRET, NEW):
        key = secret.removeprefix("whsec_")
        assert key not in page() + audit + repr(endpoint) + str(endpoint)
        assert key.encode() not in stored
    assert "Replaced the signing secret" in audit


def test_s6_a_sealed_secret_opens_only_in_its_own_place(catch_all, endpoints):
    other = endpoints["v1.questionnaire.created"]
    other.secret = catch_all.secret
    with pytest.raises(Locked):
        other.open("secret")


def test_addresses_of_single_types_are_folded_away_until_one_is_in_use(client, alice, acme):
    client.force_login(alice)
    assert not client.get(PAGE).context["single_types_in_use"]
    with tenant_scope(acme.pk):
        endpoints = {endpoint.event_type: endpoint for endpoint in ensure_endpoints()}
    enter(client, endpoints[""], SECRET)
    assert not client.get(PAGE).context["single_types_in_use"]
    assert enter(client, endpoints["v1.questionnaire.deleted"], "wrong").context["single_types_in_use"]
    enter(client, endpoints["v1.questionnaire.deleted"], SECRET)
    assert client.get(PAGE).context["single_types_in_use"]


def test_the_steps_lead_from_the_address_to_the_first_delivery(client, page, acme, alice):
    assert "Not set up yet" in page()
    with tenant_scope(acme.pk):
        endpoint = ensure_endpoints()[0]
    enter(client, endpoint, SECRET)
    assert "Waiting for the first delivery" in page()
    send(endpoint, {"questionnaire": {"id": "q1"}})
    assert "Receiving events" in page()


def test_an_open_page_is_told_only_when_something_came(client, page, kept, catch_all):
    seen = client.get(PAGE).context["page_version"]
    headers = {"HX-Request": "true", "Seen": seen}
    assert client.get(PAGE, headers=headers).status_code == 204
    send(catch_all, {"questionnaire": {"id": "q2"}})
    answer = client.get(PAGE, headers=headers)
    assert answer.status_code == 200
    assert "<html" not in answer.content.decode()


def test_deliveries_are_found_by_state_and_by_words(page, catch_all, acme):
    for name in ("first", "second"):
        send(catch_all, {"questionnaire": {"id": name}}, hook_id=f"msg_{name}")
    with tenant_scope(acme.pk):
        Delivery.objects.filter(hook_id="msg_first").update(state=DeliveryState.DEAD, error="RuntimeError: odd")
    assert "msg_first" in page("?state=dead")
    assert "msg_second" not in page("?state=dead")
    assert "RuntimeError: odd" in page("?state=dead")
    assert "msg_second" in page("?q=SECOND")
    assert "msg_first" not in page("?q=second")
    assert "No matching deliveries" in page("?q=nothing")
    assert "msg_first" in page("?state=nonsense&cursor=nonsense")
    assert "Some deliveries failed permanently" in page()


def test_a_long_list_has_pages(page, catch_all, client):
    for number in range(60):
        send(catch_all, {"questionnaire": {"id": f"q{number}"}}, hook_id=f"msg_{number:02}")
    rows = client.get(PAGE).context["deliveries"].rows
    assert len(rows) < 60
    assert rows[0].hook_id == "msg_59"
    assert page().count("msg_") == len(rows)


def test_a_delivery_shows_what_came_and_what_became_of_it(client, alice, kept):
    client.force_login(alice)
    text = client.get(f"{PAGE}deliveries/{kept.pk}/").content.decode()
    for words in ("msg_kept", "Waiting to be processed.", "&quot;q1&quot;", "the current secret", "Replay"):
        assert words in text


def test_a_replay_is_done_and_written_down(client, alice, acme, kept):
    client.force_login(alice)
    with tenant_scope(acme.pk):
        Delivery.objects.update(state=DeliveryState.DEAD, attempts=12, error="RuntimeError: odd")
    response = client.post(f"{PAGE}deliveries/{kept.pk}/replay/", follow=True)
    assert "Delivery queued for replay." in response.content.decode()
    assert "Replayed the delivery msg_kept." in response.content.decode()
    with tenant_scope(acme.pk):
        row = Delivery.objects.get()
        assert (row.state, row.attempts, row.error) == (DeliveryState.PENDING, 0, "")


def test_a_delivery_that_fails_each_time_is_dismissed_and_written_down(client, alice, member, acme, kept):
    address = f"{PAGE}deliveries/{kept.pk}/"
    client.force_login(alice)
    assert f"{address}dismiss/" not in client.get(address).content.decode()
    assert "is not marked as failed" in client.post(f"{address}dismiss/", follow=True).content.decode()
    with tenant_scope(acme.pk):
        Delivery.objects.update(state=DeliveryState.DEAD, attempts=12, error="RuntimeError: odd")
    assert f'action="{address}dismiss/"' in client.get(address).content.decode()
    client.force_login(member(Role.APPROVER))
    assert client.post(f"{address}dismiss/").status_code == 403
    client.force_login(alice)
    page = client.post(f"{address}dismiss/", follow=True).content.decode()
    assert "Dismissed the delivery msg_kept, which had failed." in page
    assert f"{address}dismiss/" not in page
    assert "Dismissed after it had failed. RuntimeError: odd" in client.get(PAGE).content.decode()
    assert "Some deliveries failed permanently" not in client.get(PAGE).content.decode()
    with tenant_scope(acme.pk):
        assert (Delivery.objects.get().state, attention_count()) == (DeliveryState.IGNORED, 0)


def test_s1_nothing_of_another_tenant_is_found(client, mallory, globex, kept, catch_all):
    client.force_login(mallory)
    of_an_endpoint = (f"endpoints/{catch_all.pk}/secret/", f"endpoints/{catch_all.pk}/end-old-secret/")
    for path in (f"deliveries/{kept.pk}/", f"deliveries/{kept.pk}/replay/", f"deliveries/{kept.pk}/dismiss/", *of_an_endpoint):
        address = f"/t/globex/settings/webhooks/{path}"
        method = client.get if path.endswith(f"{kept.pk}/") else client.post
        assert method(address).status_code == 404
    assert "msg_kept" not in client.get("/t/globex/settings/webhooks/").content.decode()
    with tenant_scope(kept.tenant_id):
        Delivery.objects.update(state=DeliveryState.DEAD)
    assert (
        "0 deliveries queued for replay"
        in client.post("/t/globex/settings/webhooks/replay-failed/", follow=True).content.decode()
    )
    with tenant_scope(kept.tenant_id):
        assert Delivery.objects.get().state == DeliveryState.DEAD


def test_an_old_delivery_is_found_by_its_whole_id_and_new_ones_by_a_part(page, catch_all, acme, monkeypatch):
    monkeypatch.setattr(deliveries, "SEARCHED", 2)
    for number in range(4):
        send(catch_all, {"questionnaire": {"id": f"q{number}"}}, hook_id=f"msg_{number}")
    with tenant_scope(acme.pk):
        Delivery.objects.filter(hook_id="msg_1").update(object_id="q1")
    assert [name for name in ("msg_0", "msg_1", "msg_2", "msg_3") if name in page("?q=msg_")] == ["msg_2", "msg_3"]
    assert "msg_0" in page("?q=msg_0")
    assert "msg_0" not in page("?q=q1")
    assert "/deliveries/" in page("?q=q1")
    assert "none of the latest" in page("?q=sg_0")


def test_counts_have_an_end(page, catch_all, monkeypatch):
    monkeypatch.setattr("portal.inbox.selectors.feed_summary.MAX_COUNTED", 2)
    for number, words in enumerate(("1", "2", "2+", "2+")):
        send(catch_all, {"questionnaire": {"id": f"q{number}"}}, hook_id=f"msg_{number}")
        assert f'Waiting <span class="num">{words}</span>' in page()
        assert f'All <span class="num">{words}</span>' in page()
    assert "Of the last 2 deliveries" in page()


def test_r3_the_figures_above_the_list_count_as_its_tabs_do(page, client, kept, catch_all, acme):
    with tenant_scope(acme.pk):
        Delivery.objects.update(state=DeliveryState.IGNORED)
    page()
    feed = client.get(PAGE).context["feed"]
    assert (feed.recent.processed, feed.recent.ignored) == (0, 1)
    assert (feed.tabs()[DeliveryState.DONE], feed.tabs()[DeliveryState.IGNORED]) == ("0", "1")
