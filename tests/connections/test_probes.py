"""What a grant covers is tried, once a day, and said where it matters."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.connections.areas import AREAS
from portal.connections.models import Answer, Capability, Connection, State
from portal.connections.services import UnknownTrustCenter, Urgency, learn_slug_id, probes, set_slug_id
from portal.connections.tasks import probe_tenant, sweep_probes
from portal.tenants.scope import tenant_scope
from tests.conftest import connect

pytestmark = pytest.mark.once

PAGE = "/t/acme/settings/connection/"


def answers() -> dict[str, str]:
    return dict(Capability.objects.values_list("area", "answer"))


def test_each_area_answers(connected, scoped, sandbox):
    assert probes.probe(Urgency.PERSON)
    found = answers()
    assert found.pop("deletion_requests") == Answer.UNKNOWN
    assert found.pop("audits") == Answer.UNKNOWN, "only audit firms have the scopes for it"
    assert set(found.values()) == {Answer.YES}
    assert Connection.objects.get().probed_at


def test_a_refused_area_is_no_and_its_page_says_so(connected, acme, sandbox, client, alice):
    sandbox.fail("status", path="/v1/contracts", value=403)
    with tenant_scope(acme.pk):
        assert probes.probe(Urgency.PERSON)
        assert answers()["contracts"] == Answer.NO
        assert answers()["questionnaires"] == Answer.YES
    client.force_login(alice)
    assert b"The connection does not cover contracts" in client.get("/t/acme/contracts/").content
    assert b"The connection does not cover" not in client.get("/t/acme/questionnaires/").content
    assert b"The platform refuses some areas" in client.get(PAGE).content


def test_a_refused_area_that_opens_is_covered_again(connected, scoped, sandbox):
    sandbox.fail("status", path="/v1/vendors", value=403)
    probes.probe(Urgency.PERSON)
    assert answers()["vendors"] == Answer.NO
    sandbox.control("DELETE", "/faults")
    Capability.objects.update(asked_at=timezone.now() - timedelta(days=2))
    Connection.objects.update(connected_at=timezone.now() - timedelta(days=3))
    probes.probe(Urgency.PERSON)
    assert answers()["vendors"] == Answer.YES


def test_an_outage_tells_nothing_and_the_next_probe_goes_on(connected, scoped, sandbox):
    sandbox.fail("status", path="/v1/documents", value=503, times=1)
    assert not probes.probe(Urgency.PERSON)
    before = answers()
    assert "documents" not in before
    calls = len(sandbox.requests("/v1/customer-trust/questionnaires"))
    assert probes.probe(Urgency.PERSON)
    assert answers()["documents"] == Answer.YES
    assert len(sandbox.requests("/v1/customer-trust/questionnaires")) == calls


def test_an_area_that_fails_each_time_keeps_no_other_from_being_asked(connected, scoped, sandbox):
    sandbox.fail("status", path="/v1/contracts", value=503)
    for _ in range(2):
        assert not probes.probe(Urgency.PERSON)
        assert set(answers()) == {area.key for area in AREAS} - {"contracts"}


def test_a_platform_that_is_down_is_not_asked_for_every_area(connected, scoped, sandbox):
    sandbox.fail("status", path="/v1/", value=503)
    assert not probes.probe(Urgency.PERSON)
    assert answers() == {}


def test_without_a_trust_center_its_areas_are_unknown(connected, scoped):
    Connection.objects.update(slug_id="")
    probes.probe(Urgency.PERSON)
    assert {answers()[area] for area in ("access_requests", "viewers", "trust_center")} == {Answer.UNKNOWN}


def test_a_probe_costs_no_mint_of_its_own_and_comes_daily(connected, acme):
    assert probes.tenants_to_probe() == [acme.pk]
    probe_tenant(acme.pk)
    assert probes.tenants_to_probe() == []
    with tenant_scope(acme.pk):
        Connection.objects.update(probed_at=timezone.now() - timedelta(days=1, seconds=1))
    assert probes.tenants_to_probe() == [acme.pk]
    with tenant_scope(acme.pk):
        Connection.objects.update(access_expires_at=timezone.now())
    assert probes.tenants_to_probe() == []
    sweep_probes()


def test_a_tenant_whose_areas_never_all_answer_keeps_no_other_from_being_probed(connected, acme, globex, sandbox):
    sandbox.fail("status", path="/v1/contracts", value=503)
    now = timezone.now()
    with tenant_scope(globex.pk):
        Connection.objects.create(state=State.ACTIVE, connected_at=now, access_expires_at=now + timedelta(hours=1))
    assert probes.tenants_to_probe(most=1) == [acme.pk]
    probe_tenant(acme.pk)
    assert probes.tenants_to_probe(most=1) == [globex.pk]
    with tenant_scope(globex.pk):
        Connection.objects.update(probe_begun_at=timezone.now())
    assert probes.tenants_to_probe() == [acme.pk, globex.pk]


def test_a_new_grant_and_what_a_person_has_checked_come_first(connected, acme, globex, client, alice, sandbox, platform_tenant):
    now = timezone.now()
    with tenant_scope(globex.pk):
        later = {"access_expires_at": now + timedelta(hours=1), "probe_begun_at": now - timedelta(hours=1)}
        Connection.objects.create(state=State.ACTIVE, connected_at=now, **later)
    client.force_login(alice)
    for begin_anew in (lambda: connect(sandbox, platform_tenant, alice), lambda: client.post(PAGE + "check/")):
        with tenant_scope(acme.pk):
            Connection.objects.update(probed_at=now, probe_begun_at=now)
            begin_anew()
        assert probes.tenants_to_probe(most=1) == [acme.pk]


def test_s9_check_now_is_taken_once_a_minute(connected, acme, client, alice):
    client.force_login(alice)
    with tenant_scope(acme.pk):
        probes.probe(Urgency.PERSON)
        Connection.objects.update(probed_at=timezone.now())
    for expected in (None, "was checked"):
        response = client.post(PAGE + "check/", follow=True)
        assert (expected is None) == (b"checked a moment ago" not in response.content)
        with tenant_scope(acme.pk):
            assert (Connection.objects.get().probed_at is None) == (expected is None)
            Connection.objects.update(probed_at=timezone.now())


@pytest.fixture
def in_the_middle(monkeypatch):
    """Have something happen while the platform is asked whether contracts are covered."""

    def have(happen) -> None:
        ask = probes._ask

        def asked(area, client):
            answer = ask(area, client)
            if area.key == "contracts":
                monkeypatch.setattr(probes, "_ask", ask)
                happen()
            return answer

        monkeypatch.setattr(probes, "_ask", asked)

    return have


def test_an_answer_about_the_grant_before_is_not_taken_for_one_about_the_next(
    connected, scoped, sandbox, alice, platform_tenant, in_the_middle
):
    sandbox.fail("status", path="/v1/contracts", value=403, times=1)
    in_the_middle(lambda: connect(sandbox, platform_tenant, alice))
    assert not probes.probe(Urgency.PERSON)
    assert answers() == {}
    assert Connection.objects.get().probed_at is None
    assert probes.probe(Urgency.PERSON)
    assert answers()["contracts"] == Answer.YES


def test_a_trust_center_that_is_learnt_in_the_middle_of_a_probe_is_asked_for(connected, scoped, platform_tenant, in_the_middle):
    Connection.objects.update(slug_id="")
    in_the_middle(lambda: learn_slug_id(platform_tenant["slugId"]))
    assert not probes.probe(Urgency.PERSON)
    assert Connection.objects.get().probed_at is None
    assert probes.probe(Urgency.PERSON)
    assert {answers()[area] for area in ("access_requests", "viewers", "trust_center")} == {Answer.YES}


def test_a_check_that_is_asked_for_in_the_middle_of_a_probe_is_not_lost(connected, scoped, in_the_middle):
    in_the_middle(probes.request_check)
    assert not probes.probe(Urgency.PERSON)
    assert Connection.objects.get().probed_at is None
    assert probes.probe(Urgency.PERSON)


def test_a_trust_center_id_is_verified(connected, scoped, sandbox, platform_tenant, alice):
    assert set_slug_id(platform_tenant["slugId"], actor=alice)
    assert Connection.objects.get().slug_verified_at
    with pytest.raises(UnknownTrustCenter):
        set_slug_id("nobodys0000000000000", actor=alice)
    assert Connection.objects.get().slug_id == platform_tenant["slugId"]


def test_a_trust_center_id_that_cannot_be_verified_now_is_kept_unverified(connected, scoped, sandbox, alice):
    sandbox.fail("status", path="/v1/trust-centers", value=503)
    assert not set_slug_id("someid00000000000000", actor=alice)
    row = Connection.objects.get()
    assert (row.slug_id, row.slug_verified_at) == ("someid00000000000000", None)


def test_a_learnt_trust_center_id_is_verified_by_the_probe(connected, scoped, platform_tenant):
    Connection.objects.update(slug_verified_at=None)
    probes.probe(Urgency.PERSON)
    assert Connection.objects.get().slug_verified_at
