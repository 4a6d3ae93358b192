"""Two members of acme who can be told of something."""

from collections.abc import Callable

import pytest
from django.test import Client

from portal.notifications.kinds import ASSIGNED
from portal.notifications.models import Notification
from portal.notifications.services import notify
from portal.tenants.models import Membership, Role, Tenant
from portal.users.models import User
from tests.conftest import make_user
from tests.support.members import add_member, find_member

PAGE, SETTINGS = "/t/acme/notifications/", "/t/acme/settings/notifications/"


@pytest.fixture
def me(alice: User, scoped: Tenant) -> Membership:
    return find_member(user=alice)


@pytest.fixture
def carol(acme: Tenant) -> Membership:
    return add_member(tenant=acme, user=make_user("carol@acme.example", "Carol Chen"), role=Role.ANALYST)


@pytest.fixture
def alice_in(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


@pytest.fixture
def tell(scoped: Tenant) -> Callable[..., list[Notification]]:
    """Tell members of something on the page of a contract."""

    def send(*members: Membership, key: str = "one", title: str = "Carol assigned CAIQ to you", text: str = "") -> list:
        people = [each.user_id for each in members]
        return notify(ASSIGNED, people, key=key, title=title, text=text, url=lambda slug: f"/t/{slug}/contracts/")

    return send
