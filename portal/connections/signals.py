"""What other rooms may want to know of a grant. Sent after the commit, with `tenant_id`."""

from django.dispatch import Signal

connected = Signal()
disconnected = Signal()
token_arrived = Signal()
"""Work that waited for its turn at the token endpoint can go on."""
