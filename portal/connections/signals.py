"""What other rooms may want to know of a grant. Sent after the commit, with `tenant_id`, inside the tenant's scope."""

from django.dispatch import Signal

connected = Signal()
disconnected = Signal()
