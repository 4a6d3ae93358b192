"""The pages of the desk."""

from portal.customers.views.changes import delete, edit
from portal.customers.views.creation import dismiss_creation, new
from portal.customers.views.exports import export
from portal.customers.views.imports import import_file, import_run, retry_import, start_import
from portal.customers.views.merges import (
    bring_back_duplicates,
    dismiss_duplicates,
    duplicate_list,
    make_main,
    merge,
    take_apart,
)
from portal.customers.views.pages import customer_list, customer_page
from portal.customers.views.suggestions import attach, bring_back, dismiss, suggestion_list

__all__ = [
    "attach",
    "bring_back",
    "bring_back_duplicates",
    "customer_list",
    "customer_page",
    "delete",
    "dismiss",
    "dismiss_creation",
    "dismiss_duplicates",
    "duplicate_list",
    "edit",
    "export",
    "import_file",
    "import_run",
    "make_main",
    "merge",
    "new",
    "retry_import",
    "start_import",
    "suggestion_list",
    "take_apart",
]
