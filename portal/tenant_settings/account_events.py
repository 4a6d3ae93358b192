"""What the events of accounts are called on the page, and which of them an owner should look at twice."""

from dataclasses import dataclass

from portal.audit.models import AccountEvent


@dataclass(frozen=True)
class Words:
    """What an event is called, with the tone of its badge."""

    label: str
    tone: str = "muted"


WORDS = {
    "account.sign_up": Words("Account created"),
    "account.sign_in": Words("Signed in", "good"),
    "account.sign_out": Words("Signed out"),
    "account.fail_sign_in": Words("Sign-in failed", "bad"),
    "account.set_password": Words("Password set", "warn"),
    "account.change_password": Words("Password changed", "warn"),
    "account.reset_password": Words("Password reset", "warn"),
    "account.confirm_email": Words("Email address confirmed"),
    "account.add_email": Words("Email address added", "warn"),
    "account.remove_email": Words("Email address removed", "warn"),
    "account.change_email": Words("Email address changed", "warn"),
    "account.rename": Words("Name changed"),
    "session.end": Words("Session ended"),
    "session.revoke": Words("Session ended by an operator", "warn"),
    "factor.add": Words("Second factor added"),
    "factor.remove": Words("Second factor removed", "warn"),
    "factor.reset": Words("New recovery codes", "warn"),
    "factor.revoke": Words("Second factors removed by an operator", "warn"),
    "factor.fail": Words("Second factor failed", "bad"),
}


def describe_event(event: AccountEvent) -> Words:
    """Return the words for an event; one of a later release is called as it calls itself."""
    return WORDS.get(event.action) or Words(event.action)
