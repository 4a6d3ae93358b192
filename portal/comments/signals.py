"""Tells that members were mentioned. The room that notifies people listens; this one knows nothing of mail or bells."""

from django.dispatch import Signal

mentioned = Signal()
"""Sent in a comment's transaction, once per new mention, with `comment`, `membership_ids` (a list) and `actor` (a user)."""
