"""What a person finds in the mail."""

import re
from collections.abc import Sequence

from django.conf import settings
from django.core import mail
from django.core.mail import EmailMessage

from portal.notifications.services import deliver_due

CODE = re.compile(r"is:\n\n(\S+)\n")


def delivered() -> list[EmailMessage]:
    """Send the emails of the notifications that are due; return all that were sent in this test."""
    deliver_due()
    return list(mail.outbox)


def code_in(message: EmailMessage) -> str:
    """Return the code that has to be typed."""
    [code] = CODE.findall(str(message.body))
    return str(code)


def path_in(message: EmailMessage) -> str:
    """Return the path of the one link in a mail, whichever of the site's hosts it names."""
    [path] = re.findall(rf"(?:{re.escape(settings.PUBLIC_URL)}|http://testserver)(/\S+)", str(message.body))
    return str(path)


def mails_to(address: str, outbox: Sequence[EmailMessage]) -> list[EmailMessage]:
    return [message for message in outbox if message.to == [address]]
