"""The pages of the desk."""

from portal.contracts.views.calendar import calendar, contract_calendar, own_feed
from portal.contracts.views.customers import set_customer
from portal.contracts.views.decisions import decide
from portal.contracts.views.files import export, import_file, start_import
from portal.contracts.views.pages import contract, contract_list, text
from portal.contracts.views.queue import discard, discard_waiting, queue, send_again
from portal.contracts.views.removals import delete
from portal.contracts.views.terms import edit_terms
from portal.contracts.views.text_extraction import hand_in, remove_text
from portal.contracts.views.uploads import upload

__all__ = [
    "calendar",
    "contract",
    "contract_calendar",
    "contract_list",
    "decide",
    "delete",
    "discard",
    "discard_waiting",
    "edit_terms",
    "export",
    "hand_in",
    "import_file",
    "own_feed",
    "queue",
    "remove_text",
    "send_again",
    "set_customer",
    "start_import",
    "text",
    "upload",
]
