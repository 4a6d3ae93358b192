"""The two tenants of the demo. Everything goes through the same doors as in real use: consent, callback, webhook endpoints."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import requests
from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction

from portal.connections.models import Region
from portal.connections.services import (
    AuthorizationResponse,
    complete_connect,
    connection_of_tenant,
    set_slug_id,
    start_connect,
)
from portal.inbox.services import ensure_endpoints, enter_secret
from portal.tenants.models import Tenant
from portal.tenants.scope import tenant_scope
from portal.tenants.services import create_tenant
from portal.users.models import User

DEMO_EMAIL = "demo@example.test"
CONNECTED, UNCONNECTED = "Larkfield Cloud", "Osprey Systems"
REGIONS = {CONNECTED: Region.EU, UNCONNECTED: Region.US}
COUNTS = {
    CONNECTED: {
        "seed": 11,
        "questionnaires": 44,
        "access_requests": 28,
        "viewers": 90,
        "contracts": 36,
    },
    UNCONNECTED: {
        "seed": 12,
        "questionnaires": 16,
        "access_requests": 12,
        "viewers": 30,
        "contracts": 14,
    },
}
TIMEOUT_SECONDS = 60
SESSION_KEY = "demo"


def prepare(*, password: str) -> None:
    """Make what is missing: the person, the tenants here and there, one tenant's grant and webhooks. Safe to repeat."""
    _control("POST", f"/applications/{settings.PLATFORM_CLIENT_ID}/redirect-uris", redirect_uri=_redirect_uri())
    worlds = _sandbox_tenants()
    user = _user(password, name=_name_known_in(worlds))
    for name, world in worlds.items():
        tenant = _tenant(name, user)
        with tenant_scope(tenant.pk):
            _connect(user, REGIONS[name], world, is_wanted=name == CONNECTED)
            if name == CONNECTED:
                _point_webhooks(world["tenant_id"])


def _sandbox_tenants() -> dict[str, dict[str, str]]:
    """Return the organisations on the platform's side, making those that are missing."""
    found = {tenant["name"]: tenant for tenant in _control("GET", "/tenants")}
    for name, counts in COUNTS.items():
        if name not in found:
            found[name] = _control("POST", "/tenants", name=name, region=REGIONS[name].value, **counts)
    return found


def _name_known_in(worlds: dict[str, dict[str, str]]) -> str:
    """Choose whom the platform lists in both organisations: people are recognised by name, and can then take work there."""
    listed = [_control("GET", f"/objects/{worlds[name]['tenant_id']}/users") for name in (CONNECTED, UNCONNECTED)]
    here, there = ([user["displayName"] for user in users if user["isActive"]] for users in listed)
    return str(next((name for name in here if name in there), here[0]))


@transaction.atomic
def _user(password: str, *, name: str) -> User:
    user = User.objects.filter(email=DEMO_EMAIL).first()
    if user is None:
        user = User.objects.create_user(DEMO_EMAIL, password, name=name)
        EmailAddress.objects.create(user=user, email=DEMO_EMAIL, verified=True, primary=True)
    return user


def _tenant(name: str, user: User) -> Tenant:
    return Tenant.objects.filter(name=name).first() or create_tenant(name, owner=user)


def _connect(user: User, region: Region, world: dict[str, str], *, is_wanted: bool) -> None:
    """Walk to the consent screen as a person would, and where wanted through it; say which Trust Center is the tenant's."""
    connection = connection_of_tenant()
    if connection is None or (is_wanted and connection.connected_at is None):
        start = start_connect(user=user, region=region, session_key=SESSION_KEY)
        if is_wanted:
            _consent(user, start.url, world["tenant_id"])
    connection = connection_of_tenant()
    if connection is not None and not connection.slug_id:
        set_slug_id(world["slugId"], actor=user)


def _consent(user: User, url: str, sandbox_tenant_id: str) -> None:
    """Press "Allow"; the answer's address holds the code and the state."""
    decision = {"decision": "allow", "tenant_id": sandbox_tenant_id}
    answer = requests.post(url, data=decision, allow_redirects=False, timeout=TIMEOUT_SECONDS)
    query = parse_qs(urlsplit(answer.headers["Location"]).query)
    complete_connect(AuthorizationResponse(user, session_key=SESSION_KEY, state=query["state"][0]), code=query["code"][0])


def _point_webhooks(sandbox_tenant_id: str) -> None:
    """Point the sandbox's events at the tenant's catch-all address, also when the demo now runs on another port."""
    endpoint = next(endpoint for endpoint in ensure_endpoints() if not endpoint.event_type)
    path = urlsplit(endpoint.url).path
    for registered in _control("GET", "/endpoints"):
        if urlsplit(registered["url"]).path == path:
            _control("POST", f"/endpoints/{registered['endpoint_id']}", url=endpoint.url)
            return
    answer = _control("POST", "/endpoints", tenant_id=sandbox_tenant_id, url=endpoint.url, event_types=[])
    enter_secret(endpoint, answer["secret"], actor=None)


def _redirect_uri() -> str:
    return f"{settings.PUBLIC_URL}/connect/callback/"


def _control(method: str, path: str, **body: object) -> Any:
    answer = requests.request(method, f"{settings.PLATFORM_API_URL}/_control{path}", json=body or None, timeout=TIMEOUT_SECONDS)
    answer.raise_for_status()
    return answer.json() if answer.content else {}
