"""What is told to the rooms above."""

from django.dispatch import Signal

restored = Signal()
"""The database was put back to an earlier moment: what waits to be sent may have been sent since. Sent in one transaction."""
