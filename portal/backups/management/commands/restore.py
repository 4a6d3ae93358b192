from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from portal.backups.errors import BackupRefused
from portal.backups.restore import restore_backup


class Command(BaseCommand):
    help = (
        "Put a file that `backup` wrote in the place of this installation. Stop its processes first. The file is checked "
        "before anything is replaced."
    )
    # A database that is damaged is a reason to restore.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("source", type=Path, help="the file")
        parser.add_argument("--replace", action="store_true", help="where there is an installation, keep it aside first")
        parser.add_argument("--without-keys", action="store_true", help="also if FIELD_ENCRYPTION_KEYS lacks the keys it needs")

    def handle(self, *args: Any, source: Path, replace: bool, without_keys: bool, **options: Any) -> None:
        try:
            kept = restore_backup(source, replaces=replace, without_keys=without_keys)
        except (BackupRefused, OSError) as error:
            raise CommandError(str(error)) from error
        if kept:
            self.stdout.write(f"What was here is in {kept}; remove it when it is not needed any more.")
        self.stdout.write(self.style.SUCCESS("Restored. Start the processes; everybody signs in again."))
