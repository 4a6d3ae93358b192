"""Every change at the desk: customers are created, changed and deleted on the platform, merged here, and suggested."""

from portal.customers.services.changing import CustomerChange, CustomerGone, change_customer
from portal.customers.services.creating import AlreadyOnItsWay, NewAccount, create_customer, put_away
from portal.customers.services.deleting import delete_customer
from portal.customers.services.importing import NotPossible, retry_import, start_import, work_on_import
from portal.customers.services.merging import (
    NotMergeable,
    make_main,
    merge,
    say_not_duplicates,
    suggest_again,
    take_apart,
)
from portal.customers.services.noting import note_export
from portal.customers.services.settling import due_creations, look_for, wake_creations
from portal.customers.services.suggesting import attach_people, bring_back, dismiss

__all__ = [
    "AlreadyOnItsWay",
    "CustomerChange",
    "CustomerGone",
    "NewAccount",
    "NotMergeable",
    "NotPossible",
    "attach_people",
    "bring_back",
    "change_customer",
    "create_customer",
    "delete_customer",
    "dismiss",
    "due_creations",
    "look_for",
    "make_main",
    "merge",
    "note_export",
    "put_away",
    "retry_import",
    "say_not_duplicates",
    "start_import",
    "suggest_again",
    "take_apart",
    "wake_creations",
    "work_on_import",
]
