"""The people who can own a questionnaire, and which of them a member is."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.connections.models import CallWindow
from portal.inbox.routes import MIRRORS
from portal.platform_api import Page
from portal.platform_api import models as remote
from portal.platform_api.paging import Unread
from portal.questionnaires import services
from portal.questionnaires.models import AssignableUser
from portal.questionnaires.services.owners import store_owners
from portal.sync.models import StaleMark
from portal.sync.services import drain_tenant
from tests.support.members import find_member

PATH = "/v1/customer-trust/questionnaires"


@pytest.fixture
def member_of_acme(desk, alice):
    return find_member(user=alice)


def read_owners():
    services.ask_for_owners()
    drain_tenant(MIRRORS)


def test_the_owners_follow_the_platform(desk, alice):
    read_owners()
    listed = [user for user in desk.objects.all(desk.tenant_id, "users") if user["isActive"]]
    assert set(AssignableUser.objects.values_list("platform_id", "name")) == {(u["id"], u["displayName"]) for u in listed}
    services.ask_for_owners()
    assert not StaleMark.objects.due().filter(kind="owners").exists(), "the list is fresh"
    desk.objects.save(desk.tenant_id, "users", listed[0] | {"displayName": "Another Name"})
    desk.objects.save(desk.tenant_id, "users", listed[1] | {"isActive": False})
    AssignableUser.objects.update(read_at=timezone.now() - timedelta(days=2))
    CallWindow.objects.all().delete()
    read_owners()
    names = dict(AssignableUser.objects.values_list("platform_id", "name"))
    assert names[listed[0]["id"]] == "Another Name"
    assert listed[1]["id"] not in names


def test_a_person_is_found_among_the_owners_by_name(desk, member_of_acme):
    with pytest.raises(services.NotAllowed, match="has not been read"):
        services.taking(member_of_acme)
    read_owners()
    with pytest.raises(services.NotAllowed, match="no one called Alice Ames"):
        services.taking(member_of_acme)
    first = AssignableUser.objects.first()
    AssignableUser.objects.filter(pk=first.pk).update(name="ALICE ames")
    assert services.taking(member_of_acme).owner_id == first.platform_id
    AssignableUser.objects.create(platform_id="twin", name="Alice Ames", read_at=timezone.now())
    with pytest.raises(services.NotAllowed, match="several people"):
        services.taking(member_of_acme)


def test_a_list_in_which_nobody_stands_is_not_asked_for_at_every_look(desk):
    services.ask_for_owners()
    StaleMark.objects.all().delete()  # it was read, and nobody stood in it
    services.ask_for_owners()
    assert not StaleMark.objects.exists()


def test_q12_an_answer_that_cannot_be_read_keeps_the_owners(desk, sandbox):
    read_owners()
    before = set(AssignableUser.objects.values_list("platform_id", "name"))
    sandbox.fail("html", method="GET", path=f"{PATH}/assignable-users")
    AssignableUser.objects.update(read_at=timezone.now() - timedelta(days=2))
    read_owners()
    assert set(AssignableUser.objects.values_list("platform_id", "name")) == before
    assert StaleMark.objects.get(kind="owners").last_error.startswith("The platform's answer could not be read")


def test_a_list_of_one_role_that_is_refused_keeps_the_other_one_and_takes_nobody_out(desk, sandbox):
    sandbox.fail("status", method="GET", path=f"{PATH}/assignable-users", value=403, times=1)
    read_owners()
    assert AssignableUser.objects.owners().exists()
    assert not AssignableUser.objects.approvers().exists()
    assert not StaleMark.objects.due().filter(kind="owners").exists()
    everybody = set(AssignableUser.objects.values_list("platform_id", flat=True))
    AssignableUser.objects.update(may_approve=True, read_at=timezone.now() - timedelta(days=2))
    sandbox.fail("status", method="GET", path=f"{PATH}/assignable-users", value=404, times=1)
    CallWindow.objects.all().delete()
    read_owners()
    assert set(AssignableUser.objects.approvers().values_list("platform_id", flat=True)) == everybody


def test_q14_who_cannot_be_read_stays_and_who_is_not_listed_goes(scoped):
    def listed(*ids: str, unread: tuple[Unread, ...] = ()) -> Page[remote.AssignableUser]:
        return Page([remote.AssignableUser.read({"id": each, "displayName": each.upper()}) for each in ids], None, unread)

    def store(owner: Page[remote.AssignableUser], approver: Page[remote.AssignableUser]) -> list[tuple[str, bool, bool]]:
        store_owners({"owner": owner, "approver": approver}, asked_at=timezone.now())
        return sorted(AssignableUser.objects.values_list("name", "may_own", "may_approve"))

    assert store(listed("a", "b"), listed("b", "c")) == [("A", True, False), ("B", True, True), ("C", False, True)]
    unread = (Unread("b", "the name is of another kind than expected"),)
    assert store(listed("a", unread=unread), listed()) == [("A", True, False), ("B", True, False)]
    assert store(listed("d", unread=(Unread("", "the id is missing"),)), listed("d")) == [
        ("A", True, False),
        ("B", True, False),
        ("D", True, True),
    ]
    assert store(listed("d"), listed()) == [("D", True, False)]
