from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from portal.connections.services.failures import end_grants_without_tokens
from portal.tenants import sealing


class Command(BaseCommand):
    help = (
        "Seal every stored secret with the first key of FIELD_ENCRYPTION_KEYS. The site goes on meanwhile; what ended early "
        "goes on where it was. Afterwards the other keys can be removed."
    )
    # A key that is missing is what this command is there to report.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--forget", action="store_true", help="empty the values whose key is lost for good")

    def handle(self, *args: Any, **options: Any) -> None:
        resealed = locked = 0
        for progress in sealing.reseal():
            resealed += progress.resealed
            locked += progress.locked
            self.stdout.write(f"{resealed} sealed anew, {locked} that no key opens")
        if options["forget"]:
            self.stdout.write(f"{sealing.forget_locked()} values were emptied")
            self.stdout.write(f"{end_grants_without_tokens()} connections need a new consent; their owners are told")
        elif locked:
            raise CommandError(f"{locked} values were sealed with a key that is missing. They are left as they are.")
        self.stdout.write(self.style.SUCCESS("Every value that can be opened is sealed with the first key."))
