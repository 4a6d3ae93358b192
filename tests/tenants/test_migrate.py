"""What makes an index on a large table has the time that it takes; what waits for a lock still gives up."""

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.models.signals import pre_migrate

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.once,
    pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has no such limits"),
]


def limits() -> tuple[str, str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('statement_timeout'), current_setting('lock_timeout')")
        return cursor.fetchone()


def test_a_migration_may_take_long_and_waits_for_no_lock_longer_than_before():
    before, found = limits(), []

    def look(**_: object) -> None:
        found.append(limits())

    sender = apps.get_app_config("tenants")
    pre_migrate.connect(look, sender=sender, weak=False, dispatch_uid="limits")
    try:
        call_command("migrate", interactive=False, verbosity=0)
    finally:
        pre_migrate.disconnect(sender=sender, dispatch_uid="limits")
    assert before == ("1min", "10s")
    assert found == [("0", "10s")]
    assert limits() == before
