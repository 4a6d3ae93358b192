"""Writes down what happens to people's accounts, from the signals of Django and allauth."""

from typing import Any

from allauth.account import signals as account
from allauth.mfa import signals as mfa
from django.contrib.auth import get_user_model
from django.contrib.auth import signals as auth
from django.db import transaction
from django.http import HttpRequest

from portal.audit.chain import seal_after_commit
from portal.audit.models import AccountEvent
from portal.lib.clients import client_address
from portal.users.sessions import session_ended, session_revoked
from portal.users.signals import factors_revoked, renamed

OF_ACCOUNT = {
    "account.sign_up": account.user_signed_up,
    "account.set_password": account.password_set,
    "account.change_password": account.password_changed,
    "account.reset_password": account.password_reset,
    "account.confirm_email": account.email_confirmed,
    "account.add_email": account.email_added,
    "account.remove_email": account.email_removed,
    "account.change_email": account.email_changed,
    "account.sign_in": auth.user_logged_in,
    "account.sign_out": auth.user_logged_out,
}
OF_PERSON = {"session.end": session_ended, "session.revoke": session_revoked, "account.rename": renamed}
OF_FACTOR = {
    "factor.add": mfa.authenticator_added,
    "factor.remove": mfa.authenticator_removed,
    "factor.reset": mfa.authenticator_reset,
    "factor.fail": mfa.authentication_failed,
    "factor.revoke": factors_revoked,
}


def listen() -> None:
    """Connect every signal to its row, once."""
    for action, signal in (OF_ACCOUNT | OF_PERSON | OF_FACTOR).items():
        signal.connect(_writer(action), weak=False, dispatch_uid=f"audit:{action}")
    auth.user_login_failed.connect(_note_failure, dispatch_uid="audit:account.fail_sign_in")


@transaction.atomic
def note(action: str, *, user: Any, request: HttpRequest | None) -> AccountEvent:
    """Write down one event of an account, and who it came from."""
    client = client_address(request) if request else ""
    event = AccountEvent.objects.create(action=action, user=user, client=client[:64])
    seal_after_commit(None, event.pk)
    return event


def _writer(action: str) -> Any:
    def write(*, request: HttpRequest | None = None, user: Any = None, **sent: Any) -> None:
        if user is None and (address := sent.get("email_address")) is not None:
            user = address.user
        if user is not None:  # a sign-out of nobody is no event
            note(action, user=user, request=request)

    return write


def _note_failure(*, credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any) -> None:
    email = str(credentials.get("email") or credentials.get("username") or "").strip().lower()
    note("account.fail_sign_in", user=get_user_model().objects.filter(email=email).first() if email else None, request=request)
