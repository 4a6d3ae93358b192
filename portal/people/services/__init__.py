"""Every change at the desk: storing what the platform says, making and importing groups, and who is in which."""

from portal.people.errors import AlreadyThere, Gone, NotPossible
from portal.people.services.creation import GroupText, create_group
from portal.people.services.export_audit import record_export
from portal.people.services.group_runs import retry_group_run, start_group_run
from portal.people.services.imports import Import, import_groups

__all__ = [
    "AlreadyThere",
    "Gone",
    "GroupText",
    "Import",
    "NotPossible",
    "create_group",
    "import_groups",
    "record_export",
    "retry_group_run",
    "start_group_run",
]
