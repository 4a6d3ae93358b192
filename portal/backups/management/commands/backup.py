from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from portal.backups.errors import BackupRefused
from portal.backups.snapshot import take_backup


class Command(BaseCommand):
    help = (
        "Copy an installation on SQLite into one file, readable for this account only: the database, the uploads and what "
        "waits in the embedded broker. The portal may run meanwhile. Keep FIELD_ENCRYPTION_KEYS elsewhere: without them "
        "its secrets are lost."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("target", type=Path, help="a new file, or a folder, in which it gets a name with the time")
        parser.add_argument("--with-keys", action="store_true", help="put FIELD_ENCRYPTION_KEYS into it: it then opens itself")

    def handle(self, *args: Any, target: Path, with_keys: bool, **options: Any) -> None:
        try:
            file = take_backup(target, with_keys=with_keys)
        except (BackupRefused, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Wrote {file} ({file.stat().st_size:,} bytes).")
