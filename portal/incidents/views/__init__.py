"""The pages of the planner."""

from portal.incidents.views.exports import export, export_log, export_plan, plan_file
from portal.incidents.views.incidents import close, edit, new, remark, reopen
from portal.incidents.views.notifications import notice, revert, save_draft, spare, tell_one, tell_several
from portal.incidents.views.pages import incident_list, log, plan, printed
from portal.incidents.views.plans import replan
from portal.incidents.views.templates import delete_template, edit_template, new_template, template_list

__all__ = [
    "close",
    "delete_template",
    "edit",
    "edit_template",
    "export",
    "export_log",
    "export_plan",
    "incident_list",
    "log",
    "new",
    "new_template",
    "notice",
    "plan",
    "plan_file",
    "printed",
    "remark",
    "reopen",
    "replan",
    "revert",
    "save_draft",
    "spare",
    "tell_one",
    "tell_several",
    "template_list",
]
