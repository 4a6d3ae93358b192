from typing import Any

from django.core.management.base import BaseCommand

from portal.backups.after import prepare_to_go_on


class Command(BaseCommand):
    help = (
        "Once a PostgreSQL was restored and before the processes start: end all sessions, compare everything with the platform "
        "anew, and look before sending what waits. `restore` does so automatically."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        prepare_to_go_on()
        self.stdout.write(self.style.SUCCESS("Start the processes; everybody signs in again."))
