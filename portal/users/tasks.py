from celery import shared_task
from django.contrib.sessions.backends.db import SessionStore


@shared_task
def forget_sessions() -> None:
    """Remove the sessions whose time is over: of people who did not sign out, and of visitors who were shown a message."""
    SessionStore.clear_expired()
