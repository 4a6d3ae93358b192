from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from portal.lib.counted import counted
from portal.users.models import User
from portal.users.sessions import open_sessions, revoke_sessions


class Command(BaseCommand):
    help = (
        "End the open sessions of one person, or show them. Whoever has the password can sign in again: where it is in other "
        "hands, let an owner remove the member first."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", help="the address that the person signs in with")
        parser.add_argument("--list", action="store_true", dest="only_list", help="show them and end none")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(email=options["email"].strip().lower()).first()
        if user is None:
            raise CommandError(f"Nobody signs in as {options['email']!r}.")
        if not options["only_list"]:
            self.stdout.write(f"{counted(revoke_sessions(user), 'session')} of {user.email} ended.")
            return
        for session in open_sessions(user):
            times = f"began {session.created_at:%Y-%m-%d %H:%M}, last used {session.last_seen_at:%Y-%m-%d %H:%M} UTC"
            self.stdout.write(f"{session.ip}: {times}, {session.user_agent}")
