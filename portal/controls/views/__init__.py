from portal.controls.views.automated_tests import test_list, test_page
from portal.controls.views.controls import asked, control_list, control_page
from portal.controls.views.exports import export, export_frameworks, export_tests
from portal.controls.views.frameworks import framework_list, framework_page

__all__ = [
    "asked",
    "control_list",
    "control_page",
    "export",
    "export_frameworks",
    "export_tests",
    "framework_list",
    "framework_page",
    "test_list",
    "test_page",
]
