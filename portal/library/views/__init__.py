"""The pages of the library."""

from portal.library.views.coverage import coverage_page
from portal.library.views.duplicates import duplicates, keep_both, merge
from portal.library.views.exports import export, export_knowledge
from portal.library.views.imports import import_file, start_import
from portal.library.views.knowledge import knowledge_list, knowledge_page
from portal.library.views.pages import entry, entry_list
from portal.library.views.writes import delete, edit, new, verify

__all__ = [
    "coverage_page",
    "delete",
    "duplicates",
    "edit",
    "entry",
    "entry_list",
    "export",
    "export_knowledge",
    "import_file",
    "keep_both",
    "knowledge_list",
    "knowledge_page",
    "merge",
    "new",
    "start_import",
    "verify",
]
