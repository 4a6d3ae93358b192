"""T10 and a clean exit: the copy is kept or goes on its date, the tenant goes by the same door, a signed record stays."""

import io
import json
import zipfile
from datetime import datetime, time, timedelta

import pytest
from django.core.files.base import ContentFile
from django.db import transaction
from django.db.models import ProtectedError
from django.utils import timezone

from portal.audit.models import Entry
from portal.connections.models import Connection, ExitRecord, Region, State, Suspension
from portal.connections.services import delete_tenant, disconnect, exit_records
from portal.connections.tasks import serve_token_queue, sweep_offboarding
from portal.contracts.models import Upload
from portal.inbox.models import Delivery, Endpoint
from portal.inbox.routes import MIRRORS
from portal.questionnaires.models import Questionnaire
from portal.sync.models import Run
from portal.sync.services import reconcile_tenant, start_reconcile
from portal.tenants import offboarding
from portal.tenants.models import Role, Tenant
from portal.tenants.scope import all_tenants, tenant_scope
from tests.conftest import connect
from tests.support.budget import forget_calls
from tests.support.grants import shown_grant
from tests.support.members import is_member
from tests.support.turns import fails_in

PAGE = "/t/acme/settings/connection/"


@pytest.fixture
def copied(connected, acme):
    """Acme with its first copy complete."""
    with tenant_scope(acme.pk):
        start_reconcile(MIRRORS)
        reconcile_tenant(MIRRORS)
        assert Questionnaire.objects.count() == 3
    return connected


def confirm_end() -> None:
    forget_calls()
    serve_token_queue()


def leave(client, **form):
    return client.post(PAGE + "disconnect/", {"name": "Acme"} | shown_grant(client, PAGE) | form)


def test_whoever_disconnects_means_the_grant_that_was_shown(connected, scoped, sandbox, platform_tenant, client, alice):
    client.force_login(alice)
    shown = shown_grant(client, PAGE)
    connect(sandbox, platform_tenant, alice)
    answer = leave(client, **shown)
    assert answer.status_code == 422
    assert "Reload the page before you disconnect" in answer.content.decode()
    assert Connection.objects.get().state == State.ACTIVE


def test_the_copy_stays_unless_it_is_to_go(copied, acme, client, alice):
    client.force_login(alice)
    assert leave(client).status_code == 302
    sweep_offboarding()
    with tenant_scope(acme.pk):
        assert Questionnaire.objects.count() == 3
        assert Connection.objects.get().purge_at is None


def test_the_copy_goes_on_its_date_and_what_proves_it_stays(copied, acme, client, alice, deliver):
    deliver({"questionnaire": {"id": "65f1b2c3d4e5f6a7b8c9d0e1"}})
    client.force_login(alice)
    day = timezone.localdate() + timedelta(days=30)
    assert leave(client, copy="purge", purge_on=day.isoformat()).status_code == 302
    sweep_offboarding()
    with tenant_scope(acme.pk):
        assert Questionnaire.objects.count() == 3
        Connection.objects.update(purge_at=timezone.now())
    sweep_offboarding()
    with tenant_scope(acme.pk):
        assert (Questionnaire.objects.count(), Delivery.objects.count()) == (0, 0)
        assert Endpoint.objects.exists()
        assert Entry.objects.filter(action="connection.purge").exists()
        assert Connection.objects.get().purge_at is None
        assert any("Removed the copy" in event["what"] for event in exit_records.records()[0].content["events"])


def test_a_copy_that_cannot_go_keeps_no_other_here(acme, globex, monkeypatch):
    due = timezone.now() - timedelta(days=1)
    for tenant in (acme, globex):
        with tenant_scope(tenant.pk):
            Connection.objects.create(region=Region.EU, state=State.DISCONNECTED, purge_at=due)
    monkeypatch.setattr(offboarding, "purge", fails_in(acme, offboarding.purge))
    sweep_offboarding()
    with all_tenants("whose copy has yet to go"):
        assert Connection.objects.exclude(purge_at=None).get().tenant_id == acme.pk


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Asia/Tokyo"])
def test_the_copy_goes_when_the_day_begins_for_whoever_chose_it(connected, acme, client, alice, zone):
    alice.timezone = zone
    alice.save()
    client.force_login(alice)
    day = timezone.localdate(timezone=alice.zone) + timedelta(days=30)
    assert leave(client, copy="purge", purge_on=day.isoformat()).status_code == 302
    with tenant_scope(acme.pk):
        assert Connection.objects.get().purge_at == datetime.combine(day, time.min, tzinfo=alice.zone)
    assert f"On {day.day} {day:%B %Y}. Reconnecting" in client.get(PAGE).content.decode()


def test_a_senseless_date_is_an_error_on_the_form(connected, client, alice, acme):
    client.force_login(alice)
    for day in ("", "yesterday", "2001-01-01", "2999-01-01"):
        assert leave(client, copy="purge", purge_on=day).status_code == 422, day
        with tenant_scope(acme.pk):
            assert Connection.objects.get().state == State.ACTIVE, day


def test_connecting_again_before_the_date_keeps_everything(copied, acme, alice, sandbox, platform_tenant):
    with tenant_scope(acme.pk):
        disconnect(copied, actor=alice, purge_at=timezone.now() + timedelta(hours=1))
        forget_calls()
        again = connect(sandbox, platform_tenant, alice)
        assert (again.state, again.source_id, again.purge_at) == (State.ACTIVE, copied.source_id, None)
        Connection.objects.filter(pk=again.pk).update(connected_at=timezone.now())
    sweep_offboarding()
    with tenant_scope(acme.pk):
        assert Questionnaire.objects.count() == 3


@pytest.mark.parametrize("way", ["connect", "keep"])
def test_h1_a_purge_that_has_begun_ends_where_the_copy_is_to_stay(
    copied, acme, alice, sandbox, platform_tenant, monkeypatch, way
):
    def stay() -> None:
        if way == "keep":
            disconnect(Connection.objects.get(), actor=alice, purge_at=None)
        else:
            forget_calls()
            connect(sandbox, platform_tenant, alice)

    def kinds():
        yield Run
        stay()
        yield Questionnaire

    with tenant_scope(acme.pk):
        runs = Run.objects.count()
        disconnect(copied, actor=alice, purge_at=timezone.now() - timedelta(seconds=1))
    monkeypatch.setattr(offboarding, "kinds", kinds)
    sweep_offboarding()
    monkeypatch.undo()
    sweep_offboarding()
    with tenant_scope(acme.pk):
        assert Questionnaire.objects.count() == 3
        assert Connection.objects.get().slug_id
        (entry,) = Entry.objects.filter(action="connection.purge")
        assert entry.summary == f"Removed a part of the copy of the platform's data: {runs} rows."
        assert exit_records.records()[0].content["events"][-1]["what"] == entry.summary


def test_t10_the_webhooks_of_a_tenant_that_left_answer_410(connected, acme, alice, deliver):
    with tenant_scope(acme.pk):
        disconnect(connected, actor=alice)
    assert deliver({"questionnaire": {"id": "x"}}).status_code == 410


def test_everything_can_be_taken_along_and_no_secret_is_in_it(copied, acme, client, alice, deliver):
    deliver({"questionnaire": {"id": "65f1b2c3d4e5f6a7b8c9d0e1"}})
    client.force_login(alice)
    response = client.post(PAGE + "export/")
    archive = zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))
    counts = json.loads(archive.read("contents.json"))
    assert counts["questionnaires/questionnaire"] == 3
    lines = archive.read("questionnaires/questionnaire.jsonl").splitlines()
    assert json.loads(lines[0])["payload"]
    assert "65f1b2c3d4e5f6a7b8c9d0e1" in archive.read("inbox/delivery.jsonl").decode()
    row = json.loads(archive.read("connections/connection.jsonl"))
    assert not {"access_token", "refresh_token", "previous_refresh_token", "client_secret"} & row.keys()
    assert not {"secret", "public_id"} & json.loads(archive.read("inbox/endpoint.jsonl").splitlines()[0]).keys()
    with tenant_scope(acme.pk):
        assert Entry.objects.filter(action="tenant.export", actor=alice).exists()


def test_an_export_holds_nothing_of_another_tenant(copied, globex, mallory, client):
    client.force_login(mallory)
    response = client.post("/t/globex/settings/connection/export/")
    archive = zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))
    assert json.loads(archive.read("contents.json"))["questionnaires/questionnaire"] == 0
    assert all(b"Acme" not in archive.read(name) for name in archive.namelist())


def test_the_record_proves_when_and_shows_when_it_was_touched(connected, acme, client, alice):
    client.force_login(alice)
    leave(client)
    confirm_end()
    with tenant_scope(acme.pk):
        (kept,) = exit_records.records()
    assert exit_records.is_genuine(kept)
    assert [event["what"] for event in kept.content["events"]][1:] == ["The platform confirmed that a token is suspended."] * 2
    address = f"{PAGE}records/{kept.reference}/"
    assert b"Signature valid" in client.get(address).content
    assert client.get(address + "?format=json").json()["signature"] == kept.signature
    kept.content["events"][0]["at"] = "2020-01-01T00:00:00+00:00"
    with tenant_scope(acme.pk):
        kept.save()
    assert b"Changed since it was signed" in client.get(address).content


def test_another_tenant_does_not_find_the_record(connected, acme, globex, client, alice, mallory):
    with tenant_scope(acme.pk):
        kept = disconnect(connected, actor=alice)
    client.force_login(mallory)
    assert client.get(f"/t/globex/settings/connection/records/{kept.reference}/").status_code == 404


def test_deleting_a_tenant_goes_through_the_same_door(copied, acme, client, alice, sandbox, mailoutbox):
    tenant_id = acme.pk
    client.force_login(alice)
    assert client.post(PAGE + "delete-tenant/", {"delete-name": "acme"}).status_code == 422
    sandbox.fail("status", path="/v1/oauth/token/suspend", value=503, times=2)
    assert client.post(PAGE + "delete-tenant/", {"delete-name": "Acme"}).status_code == 302
    assert client.get(PAGE).status_code == 404
    assert not is_member(tenant_id=tenant_id)
    confirm_end()
    sweep_offboarding()
    # The platform has not confirmed: the tenant's row stays, empty, so that its tokens are still there to be suspended.
    assert Tenant.objects.filter(pk=tenant_id).exists()
    with all_tenants("a look of a test"):
        assert Questionnaire.objects.count() == 0
        Suspension.objects.update(due_at=timezone.now())
    confirm_end()
    sweep_offboarding()
    assert not Tenant.objects.filter(pk=tenant_id).exists()
    with tenant_scope(tenant_id):
        kept = ExitRecord.objects.get(tenant_id=tenant_id)
    assert exit_records.is_genuine(kept)
    (mail,) = [mail for mail in mailoutbox if mail.to == [alice.email]]
    assert str(kept.reference) in mail.body


def test_a_tenant_with_a_living_grant_cannot_be_removed_past_the_door(connected, acme):
    with all_tenants("a removal that forgets the door"), pytest.raises(ProtectedError), transaction.atomic():
        acme.delete()
    assert Tenant.objects.filter(pk=acme.pk).exists()


def test_the_record_goes_to_whoever_deletes_a_tenant_that_somebody_else_has_disconnected(
    connected, acme, client, alice, member, mailoutbox
):
    with tenant_scope(acme.pk):
        disconnect(connected, actor=member(Role.OWNER))
    confirm_end()
    client.force_login(alice)
    assert client.post(PAGE + "delete-tenant/", {"delete-name": "Acme"}).status_code == 302
    sweep_offboarding()
    assert not Tenant.objects.filter(slug="acme").exists()
    (mail,) = [mail for mail in mailoutbox if "was deleted" in mail.subject]
    assert mail.to == [alice.email]
    assert str(connected.source_id) in mail.body
    assert "It held no grant." in mail.body


def test_a_tenant_that_was_never_connected_can_be_deleted_too(client, alice, acme, mailoutbox):
    client.force_login(alice)
    assert client.post(PAGE + "delete-tenant/", {"delete-name": "Acme"}).status_code == 302
    sweep_offboarding()
    assert not Tenant.objects.filter(slug="acme").exists()
    (mail,) = mailoutbox
    assert mail.to == [alice.email]
    assert "It was never connected to the platform." in mail.body
    assert "Signature: " in mail.body


def test_the_files_of_a_tenant_that_was_never_connected_go_with_it(client, alice, acme):
    with tenant_scope(acme.pk):
        document = ContentFile(b"%PDF-1.7", name="contract.pdf")
        file = Upload.objects.create(file=document, filename="contract.pdf", external_id="c1", uploaded_by_name="Alice").file
    assert file.storage.exists(file.name)
    client.force_login(alice)
    assert client.post(PAGE + "delete-tenant/", {"delete-name": "Acme"}).status_code == 302
    sweep_offboarding()
    assert not Tenant.objects.filter(slug="acme").exists()
    assert not file.storage.exists(file.name)


def test_a_tenant_that_cannot_be_removed_keeps_no_other_here(connected, acme, globex, alice, mallory):
    for tenant, owner in ((acme, alice), (globex, mallory)):
        with tenant_scope(tenant.pk):
            delete_tenant(tenant, actor=owner)
    confirm_end()
    with tenant_scope(acme.pk):
        Connection.objects.update(state=State.ACTIVE, purge_at=None)
        document = ContentFile(b"%PDF-1.4", name="contract.pdf")
        file = Upload.objects.create(file=document, filename="contract.pdf", external_id="c1", uploaded_by_name="Alice").file
    sweep_offboarding()
    assert list(Tenant.objects.all()) == [acme]
    assert file.storage.exists(file.name), "a file goes only once its tenant has gone"
