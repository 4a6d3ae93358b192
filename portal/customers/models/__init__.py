"""Customers that are on their way to the platform, imports of many, and suggestions that somebody has put away."""

from portal.customers.models.creations import LEASE, SHOWN_FOR, NewCustomer, NewCustomerQuerySet, Step
from portal.customers.models.dismissals import Dismissal, Kind
from portal.customers.models.duplicates import NotDuplicates, pair_of
from portal.customers.models.imports import ImportItem, ImportRun

__all__ = [
    "LEASE",
    "SHOWN_FOR",
    "Dismissal",
    "ImportItem",
    "ImportRun",
    "Kind",
    "NewCustomer",
    "NewCustomerQuerySet",
    "NotDuplicates",
    "Step",
    "pair_of",
]
