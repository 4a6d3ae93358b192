from portal.library.services.entries import AREA, EntryWords, add_entry, change_entry, delete_entry, digest_of, verify_entry
from portal.library.services.wordings import note_wordings, post_answers, renew_postings, tenants_with_outdated_postings

__all__ = [
    "AREA",
    "EntryWords",
    "add_entry",
    "change_entry",
    "delete_entry",
    "digest_of",
    "note_wordings",
    "post_answers",
    "renew_postings",
    "tenants_with_outdated_postings",
    "verify_entry",
]
