from django.dispatch import Signal

opened = Signal()
"""A page of a tenant is shown next, to a member who may see it. Sent in the tenant's scope, before anything of it is read."""
