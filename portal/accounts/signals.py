"""What other rooms may want to know of customers. Sent in the transaction of the change, in the tenant's scope."""

from django.dispatch import Signal

accounts_regrouped = Signal()
"""Other accounts make up a customer than before. Sent with `account_ids`: those that belonged together, or do from now on."""
