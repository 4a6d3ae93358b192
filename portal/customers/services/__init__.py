"""Every change at the desk: customers are created, changed and deleted on the platform, merged here, and suggested."""

from portal.customers.services.changes import CustomerChange, CustomerGone, change_customer
from portal.customers.services.creation import AlreadyOnItsWay, NewAccount, create_customer, dismiss_creation
from portal.customers.services.deletion import delete_customer
from portal.customers.services.export_audit import record_export
from portal.customers.services.imports import NotPossible, retry_import, start_import, work_on_import
from portal.customers.services.merges import (
    NotMergeable,
    make_main,
    merge,
    say_not_duplicates,
    suggest_again,
    take_apart,
)
from portal.customers.services.outcomes import due_creations, verify_outcome, wake_creations
from portal.customers.services.suggestions import attach_people, bring_back, dismiss

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
    "dismiss_creation",
    "due_creations",
    "make_main",
    "merge",
    "record_export",
    "retry_import",
    "say_not_duplicates",
    "start_import",
    "suggest_again",
    "take_apart",
    "verify_outcome",
    "wake_creations",
    "work_on_import",
]
