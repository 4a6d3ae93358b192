"""While the database takes nothing every page with rows can be read, and nothing that it writes on the side takes it away."""

import pytest
from django.core.cache import cache
from django.db import DatabaseError, connection

from portal.lib.outages import if_writable
from portal.lib.page_cache import cache as page_cache
from portal.sync.models import StaleMark
from portal.tenants.scope import tenant_scope
from portal.tenants.services import create_tenant
from tests.house.test_queries import LISTS, MAX_OF_DETAILS, MAX_OF_OTHERS, ROOT, fill
from tests.support.outage import reading_only

pytestmark = [pytest.mark.once, pytest.mark.django_db(transaction=True)]


def test_o4_every_page_can_be_read_while_the_database_takes_nothing(client, alice, acme, sandbox):
    client.force_login(alice)
    # With two tenants there is a portfolio.
    create_tenant("Globex", owner=alice)
    fill(sandbox, acme, alice)
    with tenant_scope(acme.pk):
        details = [f"{root}{kind.objects.order_by('pk')[0].platform_id}/" for kind, root, _ in MAX_OF_DETAILS]
    paths = [ROOT + path for path in (*LISTS, *MAX_OF_OTHERS, *details)] + ["/portfolio/"]
    opened = {path: client.get(path).status_code for path in paths}
    assert set(opened.values()) == {200}
    with tenant_scope(acme.pk):
        # No part of anything was ever read: each page asks for them.
        assert StaleMark.objects.exists()
        StaleMark.objects.all().delete()
    cache.clear()
    page_cache.clear()
    with reading_only():
        statuses = {path: client.get(path).status_code for path in paths}
        assert client.post(f"{ROOT}today/seen/").status_code == 204
    assert {path: status for path, status in statuses.items() if status != 200} == {}
    with tenant_scope(acme.pk):
        assert not StaleMark.objects.exists()


def test_what_fails_for_another_reason_is_not_passed_over(acme):
    with pytest.raises(DatabaseError), if_writable(), connection.cursor() as cursor:
        cursor.execute("SELECT nothing FROM nowhere")
