"""What other rooms may want to know of office hours. Sent in the transaction of the change, in the tenant's scope."""

from django.dispatch import Signal

hours_changed = Signal()
