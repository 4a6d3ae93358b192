from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from portal.lib.counted import counted
from portal.users.lost_factors import mail_way_back, revoke_factors
from portal.users.models import User


class Command(BaseCommand):
    help = (
        "Take away the second factors, the password and the sessions of somebody who has lost every factor, and mail them the "
        "way back: a new password by a link in their mailbox, then a new factor. Make sure first who is asking."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", help="the address that the person signs in with")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(email=options["email"].strip().lower()).first()
        if user is None:
            raise CommandError(f"Nobody signs in as {options['email']!r}.")
        self.stdout.write(f"{counted(revoke_factors(user), 'second factor')} of {user.email} removed, with the password.")
        try:
            address = mail_way_back(user)
        except OSError as error:  # smtplib's errors are OSErrors
            raise CommandError(f"The email was not sent ({type(error).__name__}): tell them to reset the password.") from error
        self.stdout.write(f"The way back was mailed to {address}.")
