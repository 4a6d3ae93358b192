"""A process inside the house: does what it is told on its standard input, a line of JSON each, and answers likewise:
with what it found, or with what went wrong.

Started as `python -m tests.faults.inside` in the environment of the house. It is also what gets killed where a test
chooses the very moment.
"""

import base64
import json
import sys
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import django

if __name__ == "__main__":
    django.setup()

import requests
from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import connections
from django.test import Client
from django.utils import timezone

from portal.celery import app as celery_app
from portal.connections.models import Connection, Region
from portal.connections.services import (
    AuthorizationResponse,
    Urgency,
    access_token,
    client_for,
    complete_connect,
    start_connect,
)
from portal.inbox.models import Delivery, DeliveryState
from portal.inbox.services import ensure_endpoints, enter_secret
from portal.sync.models import StaleMark
from portal.tenants.scope import tenant_scope
from portal.tenants.services import create_tenant
from portal.users.models import User
from portal.users.sessions import LAST_SEEN
from tests.faults import access_desk, contract_desk, crowd, desk, feed, keeper, mortal, piles

# Bells go to the house's broker once the application is known.
celery_app.set_default()
SESSION_KEY = "faults"
SECRET = "whsec_" + base64.b64encode(b"a-signing-key-for-the-fault-tests").decode()


def new_tenant(name: str) -> dict[str, Any]:
    """Make a tenant with a signing secret; return its key and the path of its address."""
    user = User.objects.create_user(f"{name.lower()}@faults.example", "a long password indeed", name=name)
    tenant = create_tenant(name, owner=user)
    with tenant_scope(tenant.pk):
        endpoint = enter_secret(ensure_endpoints()[0], SECRET, actor=user)
    return {"tenant_id": tenant.pk, "user_id": user.pk, "path": f"/hooks/{endpoint.public_id}/"}


def new_person(email: str, password: str) -> int:
    """Make somebody who can sign in; return their key."""
    user = User.objects.create_user(email, password)
    EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
    return user.pk


def sign_in(user_id: int, *, seen_ago: int = 0) -> str:
    """Begin a session of somebody who was last seen so many seconds ago; return the value of its cookie."""
    client = Client()
    client.force_login(User.objects.get(pk=user_id))
    session = client.session
    session[LAST_SEEN] -= seen_ago
    session.save()
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def connect(tenant_id: int, user_id: int, platform_id: str) -> int:
    """Walk through the consent; return the connection's key."""
    user = User.objects.get(pk=user_id)
    with tenant_scope(tenant_id):
        start = start_connect(user=user, region=Region.EU, session_key=SESSION_KEY)
        decision = {"decision": "allow", "tenant_id": platform_id}
        answer = requests.post(start.url, data=decision, allow_redirects=False, timeout=20)
        query = parse_qs(urlsplit(answer.headers["Location"]).query)
        walk = AuthorizationResponse(user, session_key=SESSION_KEY, state=query["state"][0])
        return complete_connect(walk, code=query["code"][0]).pk


def deliveries(tenant_id: int) -> dict[str, str]:
    """Return the state of each delivery by its hook-id."""
    with tenant_scope(tenant_id):
        return dict(Delivery.objects.values_list("hook_id", "state"))


def waiting(tenant_id: int) -> int:
    """Return how many deliveries have yet to be handled."""
    with tenant_scope(tenant_id):
        return Delivery.objects.filter(state=DeliveryState.PENDING).count()


def effects(tenant_id: int) -> dict[str, int]:
    """Return how often each object was marked: each handling of an event raises the version of its mark."""
    with tenant_scope(tenant_id):
        return dict(StaleMark.objects.filter(kind="questionnaire").values_list("object_id", "version"))


def attempts(tenant_id: int) -> int:
    """Return how many deliveries were begun more than once."""
    with tenant_scope(tenant_id):
        return Delivery.objects.filter(attempts__gt=1).count()


def leases(tenant_id: int) -> int:
    """Return how many deliveries somebody has claimed."""
    with tenant_scope(tenant_id):
        return Delivery.objects.exclude(lease_owner="").filter(state=DeliveryState.PENDING).count()


def expire(tenant_id: int, *, left: float = -1) -> None:
    """Let the access token's hour pass, all but some seconds."""
    with tenant_scope(tenant_id):
        end = timezone.now() + timedelta(seconds=left)
        Connection.objects.update(access_expires_at=end, refreshed_at=end - timedelta(hours=1))


def ask_token(tenant_id: int, connection_id: int, threads: int, at: float) -> list[str]:
    """Ask for the token with many threads at one moment; return what they got."""

    def ask(_: int) -> str:
        time.sleep(max(0.0, at - time.time()))
        try:
            with tenant_scope(tenant_id):
                return access_token(Connection.objects.get(pk=connection_id), Urgency.PERSON)
        except Exception as error:
            return repr(error)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(ask, range(threads)))


def call_api(tenant_id: int) -> int:
    """Make one call with whatever token there is; return how many questionnaires came."""
    with tenant_scope(tenant_id):
        return len(client_for(Urgency.PERSON).questionnaires.all.page().items)


def is_up() -> bool:
    """Answer as soon as everything is imported."""
    return True


def connect_new(name: str, platform_id: str) -> dict[str, Any]:
    """Make a tenant and connect it; return its keys and the source_id."""
    tenant = new_tenant(name)
    connection_id = connect(tenant["tenant_id"], tenant["user_id"], platform_id)
    with tenant_scope(tenant["tenant_id"]):
        source_id = str(Connection.objects.get().source_id)
    return {"tenant_id": tenant["tenant_id"], "connection_id": connection_id, "source_id": source_id, "path": tenant["path"]}


OWN: dict[str, Callable[..., Any]] = {
    command.__name__: command
    for command in (
        *(new_tenant, new_person, sign_in, connect, deliveries, waiting, effects, attempts, leases, expire, ask_token),
        *(connect_new, call_api, is_up),
    )
}


def commands() -> dict[str, Callable[..., Any]]:
    """Gather what a process can be told; two commands of one name would silently be one."""
    found: dict[str, Callable[..., Any]] = {}
    for more in (OWN, *(module.COMMANDS for module in (keeper, crowd, feed, mortal, piles, desk, access_desk, contract_desk))):
        if twice := found.keys() & more.keys():
            raise ValueError(f"there are two commands of the name {sorted(twice)}")
        found |= more
    return found


COMMANDS = commands()


def main() -> None:
    for line in sys.stdin:
        name, options = json.loads(line)
        try:
            answer = {"answer": COMMANDS[name](**options)}
        except Exception:
            answer = {"failed": traceback.format_exc()}
        # Between two commands the database may go away, or be replaced.
        connections.close_all()
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
