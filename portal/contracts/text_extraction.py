"""The signal that a contract has a text now."""

from django.dispatch import Signal

text_was_read = Signal()
"""Sent once the text of a contract is stored for good, with `tenant_id` and `contract_id` (our key); outside of any scope."""
