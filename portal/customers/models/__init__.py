"""Customers that are on their way to the platform, and suggestions that somebody has put away."""

from portal.customers.models.creations import LEASE, NewCustomer, NewCustomerQuerySet, Step
from portal.customers.models.dismissals import Dismissal, Kind

__all__ = ["LEASE", "Dismissal", "Kind", "NewCustomer", "NewCustomerQuerySet", "Step"]
