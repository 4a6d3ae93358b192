from portal.library.services.askings import note_asked
from portal.library.services.comparison import compare, tenants_to_compare
from portal.library.services.entries import (
    AREA,
    LIBRARY_ENTRY,
    ChangedMeanwhile,
    EntryContent,
    Gone,
    add_entry,
    change_entry,
    delete_entry,
    digest_of,
    lasting,
    verify_entry,
)
from portal.library.services.export_audit import record_export
from portal.library.services.imports import ImportedEntry, import_entries
from portal.library.services.pairs import dismiss_pair, merge_pair
from portal.library.services.uses import is_still_in, note_uses
from portal.library.services.wordings import note_wordings, post_answers, renew_postings, tenants_with_outdated_postings

__all__ = [
    "AREA",
    "LIBRARY_ENTRY",
    "ChangedMeanwhile",
    "EntryContent",
    "Gone",
    "ImportedEntry",
    "add_entry",
    "change_entry",
    "compare",
    "delete_entry",
    "digest_of",
    "dismiss_pair",
    "import_entries",
    "is_still_in",
    "lasting",
    "merge_pair",
    "note_asked",
    "note_uses",
    "note_wordings",
    "post_answers",
    "record_export",
    "renew_postings",
    "tenants_to_compare",
    "tenants_with_outdated_postings",
    "verify_entry",
]
