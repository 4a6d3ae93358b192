"""The pages of the library."""

from portal.library.views.exporting import export
from portal.library.views.importing import import_file, start_import
from portal.library.views.pages import entry, entry_list
from portal.library.views.writing import delete, edit, new, verify

__all__ = ["delete", "edit", "entry", "entry_list", "export", "import_file", "new", "start_import", "verify"]
