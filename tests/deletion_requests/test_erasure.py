import logging

import pytest
from django.apps import apps
from django.core.exceptions import PermissionDenied
from django.db import models
from django.utils import timezone

from portal.access_requests.models import AccessRequest, Viewer
from portal.audit.models import Entry
from portal.deletion_requests import services
from portal.deletion_requests.models import DeletionRequest, State, new_reference
from portal.deletion_requests.services import NewRequest
from portal.page_refresh.services import area_version
from portal.tenants.managers import TenantModel
from portal.tenants.models import Role
from portal.tenants.scope import all_tenants
from tests.deletion_requests.conftest import EMAIL, MASKED, PAGE, confirm, erase, first_step, second_step
from tests.support.members import find_member


def places_of(text):
    """Every column of a tenant's table, or of a session, that holds a text in any spelling."""
    found = []
    with all_tenants("the test looks everywhere"):
        for model in apps.get_models():
            if not issubclass(model, TenantModel) and model.__name__ != "Session":
                continue
            kinds = (models.TextField, models.CharField, models.JSONField, models.BinaryField)
            fields = [field.attname for field in model._meta.concrete_fields if isinstance(field, kinds)]
            for row in model._base_manager.values(*fields):
                values = [bytes(value) if isinstance(value, memoryview) else value for value in row.values()]
                if text.casefold() in str(values).casefold():
                    found.append(model.__name__)
    return found


def test_s11_after_an_erasure_the_address_is_nowhere(approver, jane, caplog):
    assert set(places_of(jane)) == {"AccessRequest", "Viewer"}
    with caplog.at_level(logging.DEBUG):
        row = erase(approver, jane, note=f"Asked by {jane.upper()} in ticket 12")
    assert places_of(jane) == []
    assert jane.casefold() not in caplog.text.casefold()
    assert row.note == f"Asked by {MASKED} in ticket 12"


def test_it_erases_the_copies_here_and_says_how_many(approver, jane, sandbox, platform_tenant):
    before = area_version("access_requests", "deletion_requests")
    row = erase(approver, jane)
    assert row.state == State.ERASED
    assert row.erased == {"Access requests": 1, "Viewers": 1}
    assert row.confirmed_at <= row.erased_at
    assert row.requested_by_name == "Alice Ames"
    assert (row.email, row.masked_email) == ("", MASKED)
    assert area_version("access_requests", "deletion_requests") != before
    assert list(AccessRequest.objects.values_list("platform_id", flat=True)) == ["john"]
    assert list(Viewer.objects.values_list("platform_id", flat=True)) == ["john"]
    asked = [each["email"] for each in sandbox.objects(platform_tenant["tenant_id"], "deletion-requests")]
    assert asked.count(jane) == 1


def test_the_audit_names_the_request_and_never_the_person(approver, jane):
    row = erase(approver, jane)
    entries = Entry.objects.filter(target_kind="deletion_request", target_id=row.reference)
    assert [entry.action for entry in entries] == ["deletion_request.erase", "deletion_request.submit"]
    assert [entry.who for entry in entries] == ["System", "Alice Ames"]
    assert all(MASKED in entry.summary for entry in entries)
    assert entries[0].details == {"erased": {"Access requests": 1, "Viewers": 1}}


def test_s1_other_tenants_keep_what_they_have(approver, jane, globex):
    with all_tenants("another tenant knows the same person"):
        Viewer.objects.bulk_create([_copy(Viewer.objects.get(platform_id="jane"), globex)])
    erase(approver, jane)
    with all_tenants("the test counts every row"):
        assert Viewer.objects.filter(tenant=globex, folded_email=jane.casefold()).count() == 1


def _copy(row, tenant):
    row.pk, row.tenant = None, tenant
    return row


def test_a_person_nobody_knows_here_is_asked_for_all_the_same(approver, jane, calls):
    row = erase(approver, "nobody@else.example")
    assert (row.state, row.erased, calls()) == (State.ERASED, {}, 1)
    assert b"It had nothing about this address" in approver.get(f"{PAGE}{row.reference}/").content


def test_the_wrong_address_typed_again_sends_nothing(approver, jane, calls):
    answer = confirm(approver, jane, again="john@northwind.example", note="ticket 7")
    assert answer.status_code == 422
    assert b"match the address from the first step" in answer.content
    assert b"ticket 7" in answer.content
    assert (calls(), DeletionRequest.objects.count()) == (0, 0)


def test_the_spelling_of_the_same_address_may_differ(approver, jane):
    assert erase(approver, jane, again=f" {jane.lower()} ").state == State.ERASED


@pytest.mark.parametrize("email", ["", "jane", "jane@", "a b@c.example", "x" * 300 + "@example.com", "jane\x00@example.com"])
def test_a_bad_address_is_refused_at_once(approver, jane, calls, email):
    answer = approver.post(f"{PAGE}new/", first_step(email))
    assert answer.status_code == 422
    assert b'aria-invalid="true"' in answer.content
    assert calls() == 0


@pytest.mark.parametrize("broken", [{"reference": "new"}, {"reference": ""}, {"email": "jane"}, {"email": ""}])
def test_a_form_that_was_tampered_with_starts_again(approver, jane, calls, broken):
    answer = confirm(approver, jane, **broken)
    assert answer["Location"] == f"{PAGE}new/"
    assert (calls(), DeletionRequest.objects.count()) == (0, 0)


def test_a_form_sent_twice_is_one_request(approver, jane, calls):
    page = approver.post(f"{PAGE}new/", first_step(jane))
    form = second_step(page) | {"again": jane}
    first, second = (approver.post(f"{PAGE}submit/", form) for _ in range(2))
    assert first["Location"] == second["Location"]
    assert (calls(), DeletionRequest.objects.count()) == (1, 1)


def test_asking_again_for_the_same_address_is_noted_not_forbidden(approver, jane, calls):
    first = erase(approver, jane)
    page = approver.post(f"{PAGE}new/", first_step(jane.upper()))
    assert b"Earlier requests" in page.content
    assert first.reference.encode() in page.content
    second = erase(approver, jane.upper())
    assert (second.state, second.erased, calls()) == (State.ERASED, {}, 2)
    assert second.email_hash == first.email_hash


def test_without_a_connection_nothing_is_erased_and_that_is_said(approver, scoped):
    assert b"not connected" in approver.get(f"{PAGE}new/").content
    page = approver.post(f"{PAGE}new/", first_step(EMAIL))
    assert b"Nothing was sent and nothing was erased" in page.content
    assert b"submit/" not in page.content
    said = first_step(EMAIL) | {"again": EMAIL, "identity_note": "a call"}
    answer = approver.post(f"{PAGE}submit/", said)
    assert answer.status_code == 422
    assert b"Nothing was sent and nothing was erased" in answer.content
    assert (DeletionRequest.objects.count(), Entry.objects.filter(target_kind="deletion_request").count()) == (0, 0)


@pytest.mark.parametrize("role", [Role.VIEWER, Role.ANALYST])
def test_only_an_approver_erases(client, jane, member, calls, role):
    user = member(role)
    client.force_login(user)
    assert client.get(f"{PAGE}new/").status_code == 403
    assert client.post(f"{PAGE}new/", {"email": jane}).status_code == 403
    form = {"email": jane, "again": jane, "reference": new_reference()}
    assert client.post(f"{PAGE}submit/", form).status_code == 403
    with pytest.raises(PermissionDenied):
        services.submit(
            NewRequest(email=jane, received_on=timezone.localdate(), regulation="gdpr"),
            reference=new_reference(),
            identity_note="a call",
            member=find_member(user=user),
        )
    assert b"Erase a person" not in client.get(PAGE).content
    assert (calls(), DeletionRequest.objects.count()) == (0, 0)


def test_the_confirmation_shows_what_there_is_and_is_kept_nowhere(approver, jane):
    page = approver.post(f"{PAGE}new/", first_step(jane))
    assert page.context["preview"].holdings == {"Access requests": 1, "Viewers": 1}
    assert "no-store" in page["Cache-Control"]
    assert DeletionRequest.objects.count() == 0
