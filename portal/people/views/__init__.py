"""The pages of the desk."""

from portal.people.views.changes import retry, run, start_change
from portal.people.views.exports import export, export_groups
from portal.people.views.groups import group_list, group_page, import_groups, new_group
from portal.people.views.people import person_list, person_page

__all__ = [
    "export",
    "export_groups",
    "group_list",
    "group_page",
    "import_groups",
    "new_group",
    "person_list",
    "person_page",
    "retry",
    "run",
    "start_change",
]
