"""What the pages of the desk show, and what the sweeps go on with."""

from portal.contracts.selectors.contracts import (
    contract_rows,
    events_of,
    pills_of,
    reading_words,
    terms_facts,
)
from portal.contracts.selectors.queue import (
    IN_LINE,
    MAX_SHOWN,
    TABS,
    attention_count,
    first_uploads,
    queue_progress,
    tab_counts,
    upload_rows,
)
from portal.contracts.selectors.suggested import chosen_values, suggested_terms
from portal.contracts.selectors.sweeps import due_readings, due_removals, due_uploads, tenants_with_leftover_files

__all__ = [
    "IN_LINE",
    "MAX_SHOWN",
    "TABS",
    "attention_count",
    "chosen_values",
    "contract_rows",
    "due_readings",
    "due_removals",
    "due_uploads",
    "events_of",
    "first_uploads",
    "pills_of",
    "queue_progress",
    "reading_words",
    "suggested_terms",
    "tab_counts",
    "tenants_with_leftover_files",
    "terms_facts",
    "upload_rows",
]
