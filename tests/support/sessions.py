"""Sessions that have been open for a while."""

from django.test import Client


def pass_minutes(client: Client, minutes: int) -> None:
    """Let some time go by since somebody has shown who they are."""
    session = client.session
    for shown in session["account_authentication_methods"]:
        shown["at"] -= minutes * 60
    session.modified = True
    session.save()
