"""The pages of the desk."""

from portal.customers.views.changing import delete, edit
from portal.customers.views.creating import new, put_away
from portal.customers.views.exporting import export
from portal.customers.views.importing import import_file, import_run, retry_import, start_import
from portal.customers.views.pages import customer, customer_list
from portal.customers.views.suggestions import attach, bring_back, dismiss, suggestion_list

__all__ = [
    "attach",
    "bring_back",
    "customer",
    "customer_list",
    "delete",
    "dismiss",
    "edit",
    "export",
    "import_file",
    "import_run",
    "new",
    "put_away",
    "retry_import",
    "start_import",
    "suggestion_list",
]
