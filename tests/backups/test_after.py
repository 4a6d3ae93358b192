"""O8: what a restored database waits with was perhaps done since it was copied: it is looked at before it is done."""

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.core.management import call_command
from django.utils import timezone

from portal.customers.models import ImportItem, ImportRun
from portal.platform_writes.models import Item, ItemState
from portal.sync.models import Run, RunState

pytestmark = pytest.mark.django_db


def test_o8_sessions_of_before_are_over(client, alice, acme):
    client.force_login(alice)
    assert client.get("/t/acme/").status_code == 200
    call_command("after_restore")
    assert client.get("/t/acme/").status_code == 302
    assert not UserSession.objects.exists()


def test_o8_all_copies_are_compared_at_once_and_no_wait_of_another_kind_is_cut_short(scoped):
    later = timezone.now() + timedelta(hours=1)
    for kind, state in (("contract", RunState.DONE), ("viewer", RunState.BLOCKED)):
        Run.objects.create(kind=kind, title=kind, area=kind, state=state, next_due_at=later)
    call_command("after_restore")
    assert [run.kind for run in Run.objects.due()] == ["contract"]


def test_o8_what_a_bulk_run_has_yet_to_change_is_looked_at_first(scoped, alice):
    assert {items.__name__ for items in Item.__subclasses__()} >= {"BulkItem", "ViewerItem", "ImportItem"}
    run = ImportRun.objects.create(asked_by=alice, asked_by_name="Alice", filename="customers.csv")
    for state in (ItemState.WAITING, ItemState.DONE):
        ImportItem.objects.create(run=run, state=state, name="Northwind", domain="northwind.example")
    call_command("after_restore")
    assert [*ImportItem.objects.order_by("id").values_list("state", "is_in_doubt")] == [("uncertain", True), ("done", False)]
    run.refresh_from_db()
    # The customers are compared first.
    assert run.due_at > timezone.now()
