from typing import Any

from django.core.management.commands.migrate import Command as Migrate
from django.db import connections


class Command(Migrate):
    """Run Django's `migrate` without the statement timeout: an index on a large table takes longer. The lock timeout stays."""

    def handle(self, *args: Any, **options: Any) -> str | None:
        connection = connections[options["database"]]
        if connection.vendor != "postgresql":
            return super().handle(*args, **options)
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = 0")
        done = super().handle(*args, **options)
        # Whoever calls it may go on with this connection.
        with connection.cursor() as cursor:
            cursor.execute("RESET statement_timeout")
        return done
