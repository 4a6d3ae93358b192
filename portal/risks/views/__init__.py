from portal.risks.views.controls import add_control, change_type, choose_control, remove_control
from portal.risks.views.exports import export_issues, export_scenarios
from portal.risks.views.issues import issue_list, issue_page
from portal.risks.views.scenarios import scenario_list, scenario_page

__all__ = [
    "add_control",
    "change_type",
    "choose_control",
    "export_issues",
    "export_scenarios",
    "issue_list",
    "issue_page",
    "remove_control",
    "scenario_list",
    "scenario_page",
]
