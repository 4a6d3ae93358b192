"""Acme's copy of the platform's accounts."""

from typing import Any

import pytest
from django.db import transaction

from portal.accounts.mirror import MIRRORS
from portal.accounts.models import Account
from portal.connections.models import Connection
from portal.connections.services import Urgency, client_for
from portal.tenants.models import Tenant
from tests.conftest import SandboxHandle

type Json = dict[str, Any]


class Copy:
    """What the comparison of the whole list does, and hands to change things there."""

    def __init__(self, handle: SandboxHandle, tenant_id: str) -> None:
        self.handle = handle
        self.objects = handle.app.extensions["sandbox"].objects
        self.tenant_id = tenant_id

    def fetch(self) -> None:
        client = client_for(Urgency.PERSON)
        [mirror] = MIRRORS
        cursor: str | None = None
        while True:
            page = mirror.page(client, cursor)
            with transaction.atomic():
                for item in page.items:
                    mirror.save(item)
            cursor = page.next_cursor
            if cursor is None:
                return

    def there(self) -> dict[str, Json]:
        return {found["id"]: found for found in self.handle.objects(self.tenant_id, "accounts")}

    def change_there(self, account: Account, **changes: Any) -> None:
        there = self.objects.get(self.tenant_id, "accounts", account.platform_id)
        self.objects.save(self.tenant_id, "accounts", there | {"updatedDate": "2027-01-01T00:00:00.000Z"} | changes)


@pytest.fixture
def copy(connected: Connection, scoped: Tenant, sandbox: SandboxHandle, platform_tenant: Json) -> Copy:
    copy = Copy(sandbox, platform_tenant["tenant_id"])
    copy.fetch()
    return copy
