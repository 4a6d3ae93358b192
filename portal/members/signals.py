"""What this room tells others of its members."""

from django.dispatch import Signal

admin_lost = Signal()
"""Somebody is no admin or owner any more. Sent in the transaction of that, in the tenant's scope, with `user`."""
