"""How long a session lasts: until nobody has used it for a while, and never longer than a stated time (guarantee S16)."""

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.core import context
from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.dispatch import Signal
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from portal.lib.outages import if_writable
from portal.users.models import User
from portal.users.session_store import SessionStore
from portal.users.sign_ins import providers_in

type Content = Mapping[str, Any]
"""What a session holds."""

STARTED = "session_started_at"
LAST_SEEN = "session_last_seen_at"
NOTED_EVERY_SECONDS = 300
"""Being there is written down so often and not with every request."""
POLL_HEADER = "Seen"
"""Sent by regions that refresh themselves. A page that was left open is nobody's work."""
HOUR = 3600
MAX_AGENT = 200
"""As much of what a browser calls itself as the list of sessions keeps."""


session_ended = Signal()
"""A person has ended a session of theirs that was open elsewhere: `request`, `user`."""
session_revoked = Signal()
"""An operator has ended a session of a person: `user`."""


class SessionsAdapter(DefaultUserSessionsAdapter):  # type: ignore[misc] # allauth ships no types
    """Tells of each session that is ended."""

    def end_sessions(self, sessions: Iterable[UserSession]) -> None:
        for session in sessions:
            session.end()
            session_ended.send(sender=UserSession, request=context.request, user=session.user)


class LimitSessions:
    """Middleware: sign out whoever was away for too long, or signed in too long ago. Stands before what asks for a login.

    Views that need no login, the receiver of deliveries first of all, are not asked who calls (guarantee H14).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Callable[..., HttpResponse], *_: object) -> None:
        # Who has no cookie has no session; looking for one would make every public answer vary by cookies.
        if not getattr(view, "login_required", True) or settings.SESSION_COOKIE_NAME not in request.COOKIES:
            return
        if request.user.is_authenticated:
            _check(request)


def start(request: HttpRequest, user: User, **_: Any) -> None:
    """Note when a session began, with signing in, and put it on the person's list."""
    request.session[STARTED] = request.session[LAST_SEEN] = int(time.time())
    if not request.session.session_key:
        request.session.save()
    adapter = get_adapter(request)
    client = {"ip": adapter.get_client_ip(request), "user_agent": request.META.get("HTTP_USER_AGENT", "")[:MAX_AGENT]}
    UserSession.objects.get_or_create(session_key=request.session.session_key, defaults={"user": user, **client})


def end_other_sessions(request: HttpRequest, user: User, **_: Any) -> None:
    """End the sessions elsewhere: they were begun without the factor that is asked for from now on."""
    SessionsAdapter().end_sessions(UserSession.objects.filter(user=user).exclude(session_key=request.session.session_key))


def open_sessions(user: User) -> list[UserSession]:
    """Return a person's sessions that are good for something still."""
    found: list[UserSession] = UserSession.objects.purge_and_list(user)
    return found


@transaction.atomic
def revoke_sessions(user: User) -> int:
    """End all sessions of a person, for an operator; return how many there were."""
    ended = open_sessions(user)
    for session in ended:
        session.end()
        session_revoked.send(sender=UserSession, user=user)
    return len(ended)


def end_sessions_through(
    provider: str, *, user: User | None = None, domain: str = "", is_meant: Callable[[Content], bool] | None = None
) -> list[User]:
    """End the sessions that an identity provider has vouched for; return whose they were.

    With a user, only theirs; with a domain, only those of people with such an address; `is_meant` decides by what a session
    holds. Call it before a link to the provider is deleted: the sessions are found by those.
    """
    sessions = UserSession.objects.select_related("user").filter(user__socialaccount__provider=provider)
    if user:
        sessions = sessions.filter(user=user)
    if domain:
        sessions = sessions.filter(user__email__iendswith=f"@{domain}")
    held = [(session, SessionStore(session.session_key).load()) for session in sessions]
    ended = [
        session for session, content in held if provider in providers_in(content) and (is_meant is None or is_meant(content))
    ]
    for session in ended:
        session.end()
    return [session.user for session in ended]


def _check(request: HttpRequest) -> None:
    now = int(time.time())
    session = request.session
    started, last_seen = session.get(STARTED, 0), session.get(LAST_SEEN, 0)
    if now - started > settings.SESSION_COOKIE_AGE:
        _end(request, "Your session expired. Sign in again.")
    elif now - last_seen > settings.SESSION_IDLE_HOURS * HOUR:
        _end(request, "You were signed out after a period of inactivity. Sign in again.")
    elif now - last_seen >= NOTED_EVERY_SECONDS and not request.headers.get(POLL_HEADER):
        with if_writable():
            UserSession.objects.filter(session_key=session.session_key).update(last_seen_at=timezone.now())
            # Behind it: the session is saved with the answer, and an outage would take the page away.
            session[LAST_SEEN] = now


def _end(request: HttpRequest, words: str) -> None:
    request.session.flush()
    request.user = AnonymousUser()
    messages.info(request, words)
